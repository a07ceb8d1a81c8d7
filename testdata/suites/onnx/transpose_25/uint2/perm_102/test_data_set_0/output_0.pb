B
transposedJהההההה