B
transposedJ@¥þ@¥þ