
B	input_varJŠJÂ@