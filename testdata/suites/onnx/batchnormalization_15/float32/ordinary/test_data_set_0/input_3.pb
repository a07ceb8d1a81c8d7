B
input_meanJงKมอyA>