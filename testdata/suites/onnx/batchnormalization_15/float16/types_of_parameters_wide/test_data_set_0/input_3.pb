B
input_meanJIaj·^1ö?„vY•oüå¿