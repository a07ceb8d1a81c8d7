
Brunning_varJ(FXH