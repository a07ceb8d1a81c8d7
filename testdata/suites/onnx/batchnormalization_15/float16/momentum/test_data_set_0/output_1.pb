
Brunning_meanJ@º@¿