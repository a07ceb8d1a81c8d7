
BBJf.