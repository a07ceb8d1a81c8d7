B
transposedJ¿—‚Û&7HYj{