Å BBJÅ %+OQVU6#S7)E<ED?I!
X<NS2$A4I>%L0%	GBPRNUJD=)=E/C*-ELMH%GB?*.-,3/CABAG@$D&WM!RY2
.MHK%YQ SYUVB!=VY@OL.&348*#H5 JS'-VJE/	QNA'=F	-SS249UF<TV%!RJ1/H!.,<YIE <:&R.-0RTBE
=%5.N5)I0ZJ:SE99?0>(#-6Q 9HFCGELOI?-SRO
$+#Z1@68R<7V8,E.D6K=
1WJYV3!BX7#G6DFSUT#LC&&O5BI	-1X+V I3LNY-Q% "I8 E>W%A.).8<FK330(<LF?A%>J1BW=1@OI.OKQ2O#Z+
V*R'KF)75H8Y>Q48SG72H5Q1OHX"$45!;L8TX#QE*'.''!Q2L/P/1IV89;/072H>@Q36V'3;;	5
#:	1W"?E0HN=8P@18C"1,#CHV14$	+:#&G6.@=BRD. >6?K#	:E;W,?-'5+*RV1D5;!7,TD:*?GPK:X&K=8)XH%<WUETQ4
5@ )RRQ.1!WA&%052<E7>
Z%R+K9N<O96QXE3
%9	$)$WR!5 5N;>HP4YI+V>D3+5%=Q"0$PHT:%T3ZV7.6K1?	MXL1Z?8;DGG1 ?
	UWBW9ZFRTE,313YR( 
	U;>1G,8<P	A)KN>PFRFH===71UTP0$& &P';Q5%8 (5@=#(4-/";@U"IZ,K=VT$V8&58S@/4L2
=6@I5'J8R&W
;K#6CGA15Q<9 <9UR+/C<#W24K
N58S!1
8/>V:+WNROWR6?EF%-9T'U7#4
G.%!$%$-UVGT,#"UQ9XR.TU7@*G7!=:+5:;'A
DSWEO3Q2,H#"B-C
T'7U?!YV#+NJ+JX.=$!10QX0;4AE=<R*'&7E04	Z&6N:9<$S:0:6F<<@&.W*'THZ,K%
R:)'%R@0)K'K:
8//COKVPPL0!$!X>
SXK*P+0%!UO.J%Y/?CK6T=R* BL=	..J!90?G&BK3':H/'F4S*0@S2<P!9/L9S	WO9(J6>S"8$6M=M6>S+N<627H(?)
@"70YQ1CRA)M$#,IM,"$PWI91:1%7NQ?#WJ91	,"'(K/*8U>G>SFJV!V+M
"IS114,=1Y:>,W	UO!SME	6/2L0JB!7P?'CCM&ZS#7M7S '@K&59C,W%1EH6XJO3L;W)9O(D=P7?:ZB:
5I/%NSF
G5H
10	O@S7.,H,D=V*&F#5LZA6=38RLKL<E+UJPN'Y3LY9CX"19(T;4R4:T%J.==<NPZ!UV,9Z*HT3PI XZ%M$/G
L%*('Z9>S!4IEL(28!Q!2G7PG.:TN8DD	
U5OQ./SK-8DU&YK56<O8*96HV5E5Z(EWF-<4D7B8*P)BS1XM81091	<ZMG)J)I8C@Q/6>9SDI8
(DE* MTC8%=&J.9">P,-,KK<DZOU+)(P4#-3-U:'+TRQO,C6PINP-%@GZS/Y()7QVD*9?I7#3CXOAZ-PG.H	454A9G%OTMY==?-3U%+
V8=R*
VZSEU0NA*6=FDKL:A)-R::7Y<@=D&LCMLO
M'RT:GLI5
;I>T5 5Y&,:56
.Y8K5!8'HRMLFW&*AYKJNC4W?<S
Y'K
MR:H;!8):
L=WT	TQ3,),D),D-T4	Z4>YS:6EITDB"@UO(9B=O371X<XF7#G ?3RQ-DX<OOMP"2X8/A)J>/9D@
.&BK;K1	:	F3M;&O5CS?'.
&&7&7ZB&5L7-??BB3O-LP*%1	0N/I46OW<"J0DUZ*'Z(V6 R74UL@F2Y(W;Z4-$@<Y<L@5@8,A/G4@A7K*F*=:3AD3"-19Z;= 106<59IG?B427F-.O31)FR4IMOW 'L%%8P*KG,I'M<H(3>I'?%O$Z!42$STLYHD1 9>DXJ/Z+SB&KC $,NV*=K8UQI(43BX+*(!O>CMUI-/V'A4-3H>8)L>>:!*LL,LIA>A;>G6N'+S@PD* J!%!P=07 NTPR5XA:F$
"0U( D'I)'P'	/LOTLVISW*U*6&I(=!L@RW0O6/JA#8Q@	.
PJ8P&<,ZK<
P6Y, BI3Z4Q>CN94&8EN+ABSB-NM	E*+,U60J <
0,VF!IX"	TO;2N5;E<C%27+37DSRGOH>!#%ZY.</HF'7*4H	4UQ,D+N.G(G>1UQ1(MW,Z:%4==@OBHR H>D+N0'1'<3.E&!8JLP9B!L5'AE9R'Q9X0Q.9LBAUKC5$=L0.$1=9NU1SU7I?Q"JUXLU"	NV2$4@XHK7@%V:%$3L(GF..A?B:*W
;)!(Y!?>E2QNZ9W DFE:YW80Z<%%&
;?3!P)3/)C??ZDW#3H=J3Y4$<H('I	K'P!8J+!<2B8+<	-TD
+(-+*)@8!1K3QSZ/M*::3*1>C+WCA/<E4H; ER5$12-7O@LMQSBY&"
#*3A.Y#
$EA$6RL@P>*'83WQ3K';RHC6Q"X
ZXK+@3,G(ZDD1GH"--;"
1BMC *UE*S<	0("4X@=)W	3;E-,QTZXZS(!9W?Q1E+KZ90@>=(9QJL!FUACG>OM>SFXG*FSICKMGFDSY9A*+#?0=!7F)UYH5	H9M)!Y
53F),T)Y9WK(C5VN6T;;TCJA!CO=<2*WRY	P&2I''7N!)OL J=C>A5WUU1DGV7WG$@FAU=GQS	F.XH9%.	VV%PIOSQW1VB':>*V2.!M'F"XFHR,P.N(890;0 U(E;8)IF TV$RQ;6$X71YJF#B7SH&B!N2*?-X0-**T"I$K-#8- 3CL/:?;A4ZBX<(="U,;6#0F,"76H(N6N?WA32;NE
08?"#,C,!S9:&(X+48MK7XCE)O@U;+J3:,0P
8RZK?NB
MF"K1I,W	#/STT