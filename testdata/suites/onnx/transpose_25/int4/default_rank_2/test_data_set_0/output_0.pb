B
transposedJ0AR