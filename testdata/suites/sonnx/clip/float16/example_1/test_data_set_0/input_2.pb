
BmaxJI