B
transposedJ2