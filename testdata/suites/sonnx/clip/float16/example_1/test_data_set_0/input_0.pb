
BinputJMƚHpP