
BinputJFÀHvP