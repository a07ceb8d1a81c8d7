ÅBBJÅ1-ZK8KU'.3	"%?)2HSSSHD/?(2?55XFQ.GP&L6PAO<A@
RBLL&?O$<892I8M1TBI*WCJ+AFT(&-B;E?QK0&HIX9KRSHBIYU*0?/Z/U,=PH,OH#XH%# /!Z>F0UB?!Q$PZE>J*F+T31N3;XLKOT78D7&2:O@A7YJ&!XW2N.;=T&#QWX$)93?K9;/%M,@MI6'1Z1QK:SF3'?E!1;6YYK>-, IG4X&7ZTDU3"PJ3MB:6:(%QYP-3K9#
$JJM:	I%-P=;AI$
1FJFDJRE	$JXFA$Y@X4Y(FCQT8,5*>J5 G
*AP1#KX793U!Y	3;V1	Y&."4:&U9#A(L+DYYL2@IS0Z*R";.+ZVOR@L&L(V=8W
LUE
2')G	: G%<H!-+<CFDO*KN;=B8
	O

 2;$*E'MQ><!9%?RP7;F?D=B=4
0H8@V;U<7$J 9/$NK?M/=PBOP=:E,$+(WN*'@?35:.&#A<!B2M"-)5;L&E+!PZC	,#"=;8T/@&'#HC!	!VWD@A6X;ZF0E&A"U;YB7ZMZF#10X87PRS-2()?Q-$@=D&! DN1JH2<Y06+>(C:B$%EFRMD,F05A% ZYHNDAAG"7:4X6?NH*8#	O@N@>T=0#O=6
"Z8R:OD95B:.UCT *E*
,K""DTDD=#D/31WSG<U#$C>CQL*##2@$01;AT+WW8KFU7$MYLS9D;(K@JL$6?=,9USB;RC@%)67"Y(=E,