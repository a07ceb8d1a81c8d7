B
input_meanJÂF¤?f±'@