
BlimitJ€H