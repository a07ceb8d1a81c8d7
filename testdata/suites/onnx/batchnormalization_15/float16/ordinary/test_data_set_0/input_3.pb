
B
input_meanJD0Ä