B
input_meanJ†¿S@