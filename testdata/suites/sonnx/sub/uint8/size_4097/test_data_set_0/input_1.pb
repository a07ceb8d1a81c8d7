 BBJ N/K@.1=,CYL%::UO1 "*SN	G2W@L!DD>Z<S=87<SNU5OAIQBM9Y&
#MT;	P= 'E#0$7>YBOB1	2	PZ2X'4+"QC(Y:HQG&FF)AO	%'4J,,1A.	%EOD#HAKV"=R5S/.N??J7H<$K*;"GZ
Y -,53+AA+&)H(&B$.WTA9JHY%<ONXA96S27=<JGL,=H>AAK1.SGKPE+PG6*%Z9'X,DA5C*H,N6*<:907MAE1/5-'$S=Z66L!+5FO?E-+ PPA	$;V>L/(+8W.$XA>-OZEVXE9:$
X/4UQ>J
0>+5#G&';
)7EF5!>N>;=O:=>Q/?:I(XBQJAY,TKH3G89<EX%W-&2.M2C&OR<9C3@>OKV@-4,K8GR)EX(!7 NJWK+
/&	S/HS<D >*">1!@>FBG#VA?3&.*UW%GG-6J	 QBB7<F4)%F2N6
L KMO<+Z0C#3
LXV.(Z?%"FBX(LG NGVA#4G+-	SD:7ZSD4+ KOI0O7HFU(T1?8H8UW)3&@%8T2CCKL>7R GGB%Q7=+<.E5EW)>!DVC8?I&3" 1Q1A./;/Z
>3KSSD/,
66I?URAM*<NVKZ	8GN6C;/$!;4QG@4*<&*
VHO
NM"EDBS(9Q.UJ
PZR%2<% 3%M1J'22C*A)I>BPTH!L7D0F2:H69TC>.=-W1F:B#-, 7%VBXKV1K0.WX:#Q.*LKA$NJX9?%M$OG8Q!$0T77!.9EVVZOG+SB9J,7/S6?	7/K2&L4L9-B	',Z9JEOLI=8G'@2Z
;++/-.*6>PZH"Q6V'16%01.!8D,Q59JTMX3$'>6
'/U$%.#5-Q" L?#8O "1;&LHU= LV6L4:-R;8;&%(X4U2Q/9WK@HPBX):!P-P=K.JKLX2>)-<?9;2P;*P,)*S178V*6..8DLY08.4AV,F5
,.:MYP>JJ<	NT*$2%7-596R2A
8$%?!IR#MBG==)	#1#UZK		(375.5GO+>B$2M!UO5<AF&O	E@G3>W>(B(; 3-6T2/07! 4N'O,D-ZUF##D GNP8>"/X$ 71FR+90049VO=QVG@ JUWP.=' LK<*S/?6/KFVF
AL@&'1JR3';CXQ%AS"+I>I'XFTED9VPPO.Q$?(?XD%OG4F</#HSR&4MUU'Y9D.LWT+@*O'/5K5>J
 1#1%,')9/3TZIN-2@LCGM7?)1N)U:MGF>17F
GN#P"0PJ,@3N&A5$@.:6*C TZ86NFWD1>G	I>QUZN-(SI.#,14TO6?2WO?1Q"M@(AN;Y$ G$<4;LP?EH5-1<6"U")69"MLH,(F5BFYUD
,Y%>:%X): ,%!W@./ K8DKX537Z*H(	KYUN;3&8@"3GG
K3.'X'U'>.5%.QS	(Z2R1T.T	@()$	I3K(GJS(QZH=ACF'&12UY,)6K/+ DALA# Q$ ?DL5UE=+9+'&7=.?$*M'Z	"S36>VJ0N!WQ$SQL3(71&G-!.7$?,)?+7#4!:?)(AI@:X
%&N*3RV/>@VK/UL#L27X>,=;* 1V7E0@	B2%!1TVIC8&6
3V"ZJH152%>W%D63)1=2E;73D77?!F.)+?Z9<?UW5,JV421F>J=<KPN;A#LF
+N:WO&@Y/JS8L'
SMIFS/@E94FS O,NQZ87.$+5*HNQJ%2TAK#NKGP)!-0)D@.0WMI9(1Q=+#G$E@/2R1IOZR.,X%B#:
YSS$F9DT)	D+&
>FFW$FW=3P'3N0932U+D?)9#26;)K:)4X:6XWVN5.CEV3"B<S Z<
R?A"TG
0A:9C<FPDH/KT$2*'S%(	G7/0)NU+LQIP=T*:FL=.6";>O-*-:J(IW7$VK7"T#OYOHC 6FOZ7,9!.8HYU%@POT'EC/ 5CWBQ#,)(NVMR?TM03P	/CPYUT@&N6J,
ZL6M(O?<&FZ,.<V4QP5EY$VG)I$?%61Y,E&R%/1(!-%3P=L8<AM/UF$VJ#S?Y3#CTB4E(CJ=4CK2D?(=)>C<%Z95
A@@"U5	NQ* P-IKAI.NOL%D2QU0%<3	I#8U,I'YO:N"	XH&I:9@KNC:9.X9D2	(W2F6HT=L)-;V>%5C-#<UU1)A6*DDQ"9%Z/:,J
DN	-V*,
,(."$!P6D/NU6@=+3-+&2#&F4V:-)DG2M-7,A$PG365C-436R./2G1
;U;VD1,@3D1X,4ZA F=	 H20JE8;1E"I/QB,AFZRR;L&3B-$MVG/	;# :G)8X-W G<H,+1TR1	S9E	6"P:5/DQ8,8B,	I%:"IZK,
/?5)PY&6V'PENYJ	:EJ8#:SK7B##X'8@)DO.UAHR8@T2*A>
1F3(V-Y#7ID4)A&43L=-5Z./WO,M2,L5LL.".QDPK8,U66!&)B.ZL2.A/J/T@T7$HM)"=H<1B0:/2DK.	.:;J>!Y06<:TPDKBK(
6<5/R16N4?%2	7$%A!#6='CRRE(Z+RX2&,OZ9V;90> K-BJ7A37)=2:#	P70TPIGFM6)61 /,,V#-S>,KIR(X*14I'XX	!"FJ#O*>IW',,/+(CG>/;PB3=!FZVTX->S .F07G>Y))C('6$25NY2Y)(60W+G:;7@+=D:M3;":CM,:WBP$SPCHH.;@6V(WV>2BI!N48/A#T=LZ09 ;$&+TH:+>2&G+3FN?%=M<%' Q)1	W>*E4R6X7.FF>FWU=

)?@6V5;5AGZ!0>Y5;GT<"K3/JO65
H@MS,U33	'4,8 RHN+2?+ ZS3XG4T&->2*BL$;+SG;Z)SWR9@IS6K:!,T 8>*SS@5O*!D43I<AQR6!EEE Z.3&'"T0W/:P!;XNP"J+.Y&WZB5$?,+!/)Z%?>6XNJ