
BinputJÆÀHvP