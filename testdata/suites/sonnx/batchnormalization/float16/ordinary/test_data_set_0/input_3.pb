
B
input_meanJS¹ßÆ