
BscaleJÁD•´