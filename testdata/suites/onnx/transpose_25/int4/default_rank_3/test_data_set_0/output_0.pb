B
transposedJÀHÑYâ&jó7{