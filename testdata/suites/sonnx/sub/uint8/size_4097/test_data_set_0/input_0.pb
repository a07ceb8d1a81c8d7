Å BAJÅ @Z75&.V%8R:&&VY-&8F+:<?Q8#EL#=&FCZOG:/<9R+CYUX
8D52H#>=$SM 	LI%
9,>QM.!+-. P&H.&?	/Z2GNO&	EE#OR3SBR&:NRK71Y0D3-'(>2 ?2%7DGW!R%-<Y$S%%720K
':-9?"-7?*I@N?P3P	Y%1S9=<+NO4$*'%EJ7A.OJIOXJO,72F
U7P#ST<4#NU<$P6A,D/<)IK6K(U7Q"MB./2/DM;H6)H"E)BVWVAHS-;=*$LQ7OMO!Z!!)2X% +<U%/7J05QY:7>6;	J$	Y
S,QP8:V"@OHN%FSUWC,8&	(VMBW
:C2&W5C*:Q8Z?/LA"UFDZV(KQ-O,S2#(.SCZ>H7WIE+A"PBN2(VYT7#T@WO;;SA-"?GS;/L.Z58WQ26NH(0-X#/VNK#>>D?NVK;+$%BT!!YCP'%1EU1V$8%Z:=:WB(8A0**)/,FK?=0FRBKWJK0<FJG*>+6$BM!J+W0*2(:#6K"U?*$O++8@&CTAFQ5II(%4!')&#<FE$=>%1MLEL#Z81. IBS787D&;1#+M!+6
AY@IZT><DWN1	S0C+# LV0JC$9&I/'UE"U/X5W)%$*NBKC;@YN1!#6;	)!4#C;!C	X4(+;"4Z#Z)KP$Y&NJG;#G9W%"(		Z><-&>"Z'YS?P;W5"W408I@	LC@F9*4Q54HX@E<";Z?-#ZJ: Y(4?Q=X	A"Z8J'2ANJH4S)CPWGGY5E?9B.,&J.?/(O( (JW$O$=?A #J/WY/$72PR'5"</EKN	KXT"VE6W5U%@I5*5<@K.$,D#	Q"QW#-CKWD=G$82'$,N*-U?QG*HT&EU@Z&A$?=R=RK)><1K;<1C(7O<U$E/88J:;=XJ!Q;KQ:G@XY#>ZG&2M>IBRB2%ETB7T>7U8E1%A*YE(NH.#-'1QCX&N9L1TK=B:/HZV:E3JE=7Z7K?T;!#(M@6'HT"	G9&Q>,'E
-P0MX:CC5BOY7GM&MSUAZH&3?"IF5>0J3<=J!O-XT?W$
GQ:U>I?E>.3<6 VJOXV3Y(G-,T#(OZKU>;+1M%Z3PP2VTM":38$#:8
6,I)4I0%N4)7YE<@=+P3I';R8-D'4!I,5P"I9%8)Q
H
S1,?/>	16FW
>($7 *+<.P4Q5;U8B0V+C	>O<OR#)L/1#3(I+
TJ9W.Y?:?-('1Y.		ZH=)8IU1VBC0W2:/*M?,30FP/H8A01X-Q-HK)'N:>U)-93:4NAQ9T&$=8+9&Z3%)%7*+;C91.RX/M=%'R-WS+E/KOF+PS9(N+HLM:S;3$4:AI83H62@(MV(<9U S IFW6Y><JVWI9R!'NM=99%:)Z;P-:H*S1F+=(A!=W7V%(1TEF0FG9 30:(	1AN1;T-%X/C&VT> 	#L+T5" W:)U78'>Q=S/O,T$8
C"+#6#-WH"S;Y,UWKDLM#Y5SP8 ICORCRJVS%B8R8GY?1!-	CZ
B
BIQ;;T#E%/%
12 S@# 3V>K,;S: 	5(3%'>IB/HYTR'KODC<DLOA 1-7.?LV!L.C(L4PVILGWKD#+1@=,03R8/K1JHUZ;6%+2:O3H,DK9PP(HHF+"9;FCW*<X6@GJR>WHQ1&50@(-QUA
-FUM(M58*SR==JL&A'TC$QQX 6UPHZ&(WR$I#TSPN>9KEHOVIH6$##C:5.,3-TETQQ2C;Y9+	=#.1VAZK.NW3FB-X+EEBLOAHXS -S$-CGB)=U*PE$/3;5H.=A;J0QZR (0Z2Y'U:6H
I4W(G(#1/O5@($+8*Y*ER&7.ZRLK0X@BTXY"
20DRZ,<-:.',2T:PM#>L/J"	IA!W8A,A.X"Y7F+?7>.A=V)&#(.'%VJ1
BBK+!>$*	:&RPH,F3UWMP%)'Y@U>"6GFNO2U,:E1HQ
)RV 
3/6' 	?:
69ZS9U<3L:VB2A@;Q=N;=A*B$ZL"W@0C/H4&JX
/V1:%4W%?!	
M5MH)0R2$;PM,1MX=V)+#BD/=AC4	)FC=EMT>F:E-N?S+1L5'K?;
3T	$?Y;<8ZM.>;E2/I(J'7	-Q=J'!%S#E?;:7#Z?>E0>?Z+IPPD1-NKO)A75C293J8625QIDM 	R:I7NQX%@/:BHJ-0YN'K7B"UX	06HW)1%>
611BC$;,>WZOP"20!N12D8*V.";ULZH
6
!S@3@5-Q GP'"CGX8+G=4$!VE;7(?"T"NF8)4##Z&WY="5%&$X/X?/ F4F-@+K6G)-;N0.VD 9AU4GV3Z1=+$,4L0TKRN72:A"UOZ'.>)3H6V5!0LL' UGLXM2'"VT<Z%	P 22O"B9.WA3H4	.VB#Q..O! 2-KLB&LL'S"J6!"C>*RB<NIZ
!	$-&O8 W+'W/B4U8K06V9VDLTC8#>=@3<KJ8+42%-PDVA=<Q.C WV#R,TE)  T+QMZU1;	MO:.KZK$K;H.,-P"=;?O(Y0OCD5B+72LT?L@>S(QP3#&934#)+4M/O'&C:*J>O%
XNSQ"OF8:<<S+5U'K@'VG&?D5&79QRM!QBA	# ;0O>(CXZJW4#L%C'<-V/<<>&SYZ	+MSTTI"RBX:R5A>!HY);IPQBJ0<$M;W6SE
FMP?9	H#Q*6.K6MCO*AON;%" =5(*YH3NIR";8=D'@D2E"J
E1FA0()S!+<"
R*@'	'A3N@	;GQS>Y#-!>JPV,XXAACEE$&
Z@$- 'EG&
65TW	K#L/E96#J5CO/A@T;GG,3V45O2$Z!/ =ZU3GF:?.V$	/"67!:
NJQ8CAN*V 8 (D)KZ=EK?B0+J
?$Q67Z73@R+=Y5
YYX1S&=G(BF YP@0+F0RB,#WAB &B$8!H"6T;2=)59%2>P:@Z