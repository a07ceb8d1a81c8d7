
BlimitJh