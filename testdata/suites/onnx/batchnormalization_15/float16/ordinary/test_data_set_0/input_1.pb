
BscaleJBŊ=