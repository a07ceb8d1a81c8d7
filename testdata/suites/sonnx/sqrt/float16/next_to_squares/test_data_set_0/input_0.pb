^
BXJ¼ÿ+,ÿSTPPÿKL?VAV00R!Rÿ;<--?6A6?‘?88GQIQj!jC	C£E¥Eápãpr!rEEs	s?>A>‘R“RáXãXáhãhHHW‘WcƒcGaIa±q³q‘r“r?fAf?fAfÿST?‘?[	[pp‘Z“ZáPãP?VAVMMG9I9;ƒ;?fAfá`ã`GaIaƒD…D;ƒ;