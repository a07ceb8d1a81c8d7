B
input_meanJ°¾0‰{À