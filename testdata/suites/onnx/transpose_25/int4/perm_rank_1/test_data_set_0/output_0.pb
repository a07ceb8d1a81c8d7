B
transposedJ2