
BBJf.f²