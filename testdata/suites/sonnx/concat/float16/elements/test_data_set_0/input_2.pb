
Binputs_2JóÇ™dÄœsúj­>Úe1çaZá_JœC)1!