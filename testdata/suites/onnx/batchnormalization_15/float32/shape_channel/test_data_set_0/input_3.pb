B
input_meanJÁ‰€>