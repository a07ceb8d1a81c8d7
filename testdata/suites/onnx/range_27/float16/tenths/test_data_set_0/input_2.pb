
BdeltaJf.