B
transposedJPúPúPú