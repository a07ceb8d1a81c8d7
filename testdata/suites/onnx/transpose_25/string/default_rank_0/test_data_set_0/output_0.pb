20 éB
transposed