B
transposedJ2Tv˜ºÜþ2Tv