
BlimitJD