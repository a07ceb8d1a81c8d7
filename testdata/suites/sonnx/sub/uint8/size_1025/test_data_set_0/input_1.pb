ÅBBJÅT'*AZ:J/%H,V@X+(G	%T5<7K/*-V953HBB++MY$C L-FDI4N3H61!J)SY!2%.K4BR.,7OF<P2NONT4I)1@I,0*B-OU>ZBHIUIKIWU(N
1
+W)A!:UMUO0
YY*0O<!9B.<D30MV''+N:)2N+W=MS@I&PDIA*T5VD7+%"U)OP:(PRH<<3BA/"F/1GRLF)"PG8+,HZ3DWI'- #&OX0I.BI8@$ITNS''&JT3A/W	-&TV/(W=HN=9<
C,	O>!0F%8-U#W%!CP=RD='R@K2%ZN-87BLSZ=1DA<YJZ99B9V2C8M)"H37SUR4ACA"U XJ/P! ?S5OES9:L;	-Z8RKR#NIG*)#?5HF*$!C?8.@-,<'X4C<10G
L,%/+NV7 AD4A(2!7+*G	X2/S/X0K5	(387%NTXS4T)>M6J M)L;X)#0C4OH)N
*	.MQ5EXT1A>?9>-<A,3W(VNDL07X.U EQ7%@FHI2W /@"@(#B>JJ.S@% X3<N4Z<%/%1CK?8I#DSGO>'B	N35S%ND28'BW'7)9Q1+)@*W?EM&XL4%HVNQO2K%%4.CG?
<8?K*+$2W(99/C'PN$XT2$S4
'K+WH4KX%:HP4Y,%?>H67C7O;U A #YKXPM@PM(5Q07=7R7AM H*	'IOVL9 "V	N.8QWN12F?6G )TK+Q
BDC@MO+S$Q!1$6+#/,:YVPSCOX0C-O2)
K)WQA$S/	 M2!(Y6@MY-9#MW;	<&O(