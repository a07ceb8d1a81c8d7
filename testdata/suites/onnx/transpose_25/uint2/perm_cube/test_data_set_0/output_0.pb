B
transposedJdîLdîL$