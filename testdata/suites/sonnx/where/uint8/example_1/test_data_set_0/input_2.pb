BYJn
ZF