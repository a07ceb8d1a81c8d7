B
input_meanJ/q+@?íý¿