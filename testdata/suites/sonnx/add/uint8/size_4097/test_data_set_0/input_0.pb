 BAJ E">ZI(F7*'HQ#<TOGX+%23*&Z!A
)M4)=1N/EVNH@#T
C//*PT6JUU(&H?,/6%)!9>CE*)>1WZ(@>9/U8@;ITN'S#W"-ZE(, =.KTWZ:#/@X)=IEYAM2B>
>*B:C",?QLWQNF)9N XS0VXU66KOBGH@5EAFR=,"XJO6,A$I<D,JDJ 28SD3)L:)$1,B1 RFM%(C-089L	8>=.H*T	J .KPUW6N1H03S(X N	O'O&X3X-()S'YYH.%X.P<JGT:P<D-FBQ,>6ZG/!,F;E(VT&.YD9'-Q?4-.&+?ZX1ZD12;@
3C/Y	"%B8,QR,A(?"> :*V+S=LW1#P#CPAY9R1*+C*Z$=CU@@6P@?ER:O&DS"N4'YV0WRG7NB095H%PG0:OWW!.)#B	7WY;M!T5;EA0!$/9H"S'-I02H@7=8O@5A*EL0/0GE?2DL#*.CQ'Q"M63WM!4'C)LR>!$#H-84#K 	TR$"@,C(3
16#JO*-7=)LW5C&Q%Q$RDXESA8.-D!8/DXMFPLYB+KJEZ"Z7O;P::F4=F&>&JZ@<J"RVVMB;EK8N,$OORT/?5/S/1:.E.-1;L!AL2WH1IVLA>=%
*%;?*>+2;G% ;.*NY4PLKQ!
R:LLEVDU:'H=$D/8%72A-MW5CM?L,>*&2"QK5Q8?MAT&<B<#3"B7>!MX32X0$,E;IWF&I*&#VN/>UB*#$7:=0)7
(TN2(KJVNZ$P1-/IRN.I'3MRIOV=S
VU8G98G=?WZY9TBGYW:73' :E 1JSQ*'/+B+P/?)5&DL5'1)J+=:)HU'.WSAF:$G/:@BE+/=H@IP
8$+1
*1R(KALU8ZCN(,HPXZX%M>&W<(0-,	@IK"4R.;UA"X/1!9"0E2O&*>>KZDEH#0B5RNCQIHIY O48
997RG05-;(N5SXO.D5'-J:7QZ4!	TAV.?:B7P"9?K3>8PP:$6AT-@)NTU45S0)O)U5$L<<I>T89.Y521!@+W&GR6R6TZ(6@#I *O*V34Y&QQ@(MO6?!!HC/%<B1"E2*$8P3X1RXQ"K*0 W47QQT&6<!R++2CGC3Q$!B3KF((7""JJ2@"7+ZBB'4(L'?3,W9*&L2	G	23>SP>)'$7JFFAA"*V08)0?>D#)K<9 2%GM.-F<S
K1EX>U>6P""G=B=T9T</)M;3 8RI!KL).I!O	J	Q:3Y@P?QEQUJ)KGS%XMNTW2I(*O&/HW,7)T1T,+HTB;K2AJ)B<EW/P"D-S5V( I6QID%'W<UE$'A#*,(1:LCU
<.@X-V;M;FAKG>R" <AF'/&SOQ0AZYASVKRP1F0VS7Z,5<"6W"#F#<71('E8MRR'
Q?.JP 6$
MID=Z$*?4XGSZ&T4
/=W'J&+U?2	CO0'G>C&FZT+Y88DUC,ECL.8D0S!%2%IT7ANP'$#@RO DIP,0!U(;:AOE@:S4PV6N"3*+#2+7R?-3;9#T(8XEK76HR6S/F?IX(W,UK2< :60?49S>$5
30%!;B.RW2!KS B)C 
.'AIU?-F6#8XF;2X=8A283N=5(4
TK$NRLJA6?NJ)77/V#.VH ;N,<,; 8G9#O8B	,P	SK:EWFI232=;
#X*4/*,'>.6X:2,!3X
FRXINMQ4-B)N>L+FZK234*LN)	NN0	V"LN
L#?=KK%	R2(GK)U$L%*JV'GCS1J<<1J:D N#$89:N8KA-IF*!P	(1#T3X? S"*W!R *W23JHO
/Q$YDCYZQS51OY=<WV.L!KJDC7(2CSF953?BJ73QL27 6H4CB?)%JS

L.M' *H!MWZ#"E48GG
	ZM!DL7P5,) ;&N-:5+1KMU230.W<0WYBV8@;	'K:E--!#Z:	JK;*UI!L7C!!V.5LPL7SNA4GL'5EU=XU/.KN'S<S75ZRV2W=<3JEB:&Z1/AOD!=?$U?='UK7IHI!;-DM9I+BX=GW;5"G"Q0N;DP-:D0=ZS#;+1"ZH@O("A/0.YR=7FN:?/P	B0N2T6JE1LYE($
V<Q<I!&<BT3(XYR34;<2BU&671C
N0,Q'W5?&"OJBMPUDX*2"%NH%VDDY>D@	%GFH"'?3A;$M
 #?,6M9>,'2
L
!%Q*1VTU36EC8O1A=(
 3:J) Y+!-2>1FR"KEW'#VXMHG:R??03KN	<A
W(/O!7
;;-RJQG=#)OLJ-S(J&;5V;V"PVNE-MGV8B#6.J
!9&BUZQV(86<C5	;O@2>$#&=O)6%V&ALQ!Z$8LW8	RSIEDRD>&@!YF"'F'V;<#CR+F%F,6  "JQ3#?V>(ZI>EF>SE1KA7?(M WRTA!NXEG4FV2%H$EC3AF72;QV6)%4?I'34!"H*707N6 M(!D"Z7$KE,HX9=@65IO%HC4K">9.<9LMI?F.X #+X=6HC<>'Q<W3OKD6(	N6./+0 M9S,/@TFC&BDZGZ6>N$Y,+K3P6AHKDY8=<A@('F%(%(5ANK/95KCDYCJ8EYZ8I/EJ&%PN*?@P;82*O	NZD+UC$0=W3AY8 Z O5:=OS>1ZO'Q=#=WY'W;N
7;H)M!4F9$>8M- @4"&ATTG(	F
	''F"Y-K)K/*R6G".0RER)R-ND("AZG
!'!4=ZH8$/ .

L-4YCKX"Z=;2YQ.SAVH	,6&.:+D9	48)M6+@*ZVZ13J	$B2
++S*J-HCHT@WFN"G,I,8;"UUKNKTD
-TS%;D.I?GK.KIBIJ*C/#V9.ZIJ+PW?M<6((KJTDG+)Q3B
C)%?
7"!-
3A5H!SY+N27M+VYT-P(&*"9XZ#TJL,K'A<!E2'/PV3M8%C$W%8,-&O<T $	<4T@