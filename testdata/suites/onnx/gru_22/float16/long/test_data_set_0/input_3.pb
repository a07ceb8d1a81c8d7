
BBJf.f²Í4fªÍ0f*