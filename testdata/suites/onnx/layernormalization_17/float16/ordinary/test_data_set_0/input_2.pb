	
BBJŸ@¢ÀZ¸Ê§DÁCR¸fÆ™0