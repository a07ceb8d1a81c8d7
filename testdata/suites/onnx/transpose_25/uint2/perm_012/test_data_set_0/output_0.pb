B
transposedJהההההה