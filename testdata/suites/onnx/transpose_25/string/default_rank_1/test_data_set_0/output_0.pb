20 é21 é22 é23 é24 éB
transposed