B
transposedJ2ÜşTv2˜ºTv