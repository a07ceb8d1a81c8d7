
BYJFš»vP