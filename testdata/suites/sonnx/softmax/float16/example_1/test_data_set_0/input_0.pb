
BinputJÀHvP