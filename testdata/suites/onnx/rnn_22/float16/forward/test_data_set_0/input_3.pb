
BBJf.f²Í4fª