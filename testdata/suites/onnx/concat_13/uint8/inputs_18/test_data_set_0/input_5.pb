Binputs_5J
