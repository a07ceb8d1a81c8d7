B
transposedJo~M