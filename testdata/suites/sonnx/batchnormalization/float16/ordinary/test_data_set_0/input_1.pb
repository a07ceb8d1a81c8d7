
BscaleJ#?Ÿ@