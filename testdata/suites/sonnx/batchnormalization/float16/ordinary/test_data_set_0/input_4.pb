
B	input_varJ®C3