C
BZJ†ä“*Kj¸9
Iü<`A%4ÙJhd!c*.½g‹LQdŽ;²O"2juþ’;UZ4¡ ¿P(h\¿”2J]A,o%9[,twYJ†w1Ig(j`Ï]l:QP7˜æ1ùv*`{_—1d×fx*Þ-áZ
g½Gã3ïjK–