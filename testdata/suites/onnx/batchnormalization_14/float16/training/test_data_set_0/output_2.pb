
Brunning_varJ^BÙH