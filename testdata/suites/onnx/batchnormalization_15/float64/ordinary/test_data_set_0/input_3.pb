B
input_meanJÑäÌ½"u*À	TÚtÚ¿