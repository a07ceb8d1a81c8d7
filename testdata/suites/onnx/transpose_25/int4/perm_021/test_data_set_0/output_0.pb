B
transposedJ@•b:·ÔQ.ös