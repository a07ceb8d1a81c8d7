B
input_meanJeЮ\њвеѕ>