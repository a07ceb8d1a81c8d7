BXJüPL'@2	D
^HLaUK,UNDT0-!EGE,%VA
:JQG>(-Nb)G8FX_/U1HT.97:P3#Y^c] 66JAcX5=Q-BAW&I$5&* _GW(6X"M-SMaX]YX?!2;6D Y	-b/9,IQ#1bX>X6c6CcS(?*S$J55<W]$5c1"b=4> _ 9Z/%XTW8<EK1%<(TM#]"5G\^Y GFE7`K?_E