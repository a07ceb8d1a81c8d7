
BBJ╣Cсю