
BBJdd