BAJ$UY*HPIJ%(A(>M@)MVLW."CWEW3B99'S$K&9T)T#R%Y3WH1R&#VZDV>"/>C'>6MUT:&7BIT6
0AW'01)*H/%B-9!')L!M SR+X9 3%09**Q<0&(3Q'<684B4+C$H,7Z!$ZL,WBS?KI#P0!&KY.M%NY6
QU<EYO$	AWH?9E,	X
H
L@4N2TMJ>M%;(BFZ6J	0*3"7OH?$$,C5VTG;*IFSN836?:.KB2FLM'NRAHG'-5JER>
TK=/#KZ0G3 F:V"@@UY2$Z>?W3#E=	MF8F(,G?X-UIH94=,R;@RA>$ ENE+S8@C@.XL31J=ZVZ+HMD		*H/CZ/V$BLH$PWXM<"1'L36'SLD1BY@=K#WXU9*+ADYK@EFIQAZ3<#!X6!WSOW3?KCH:SE@@B>YD#7;:@9KI@4R"-<>;@-C3+@;$)5*! @KFD*P794@=5M,YR
I>	F0RV#LD;B7HR+&3=!O@)DQ<<IZD#KNRU(8.=&=8-/L2O!VX2,K6=ZOR-F/LX52''1NU=,DE Z.V750IX$+TGTM3+BJ!C?,""M0'S7P!N0<3=H#8&508;AC?Z18(Q@*9Q'BFHZ':Q*6%B!8E#)>>!/A*;FWD$PF/&@!IBOOLLEU1%1NU-O$-5.YFVM176SC7H!T>+@0)DJ5%M
IRYH+5:1A8H@Z!<&@PMA5@K*2X!GP".)%2:0JL$