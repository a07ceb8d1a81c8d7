
Brunning_varJ†HQL