B
transposedJ