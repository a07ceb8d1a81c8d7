BAJV,Q&RHS&4 5M(3>N((/0/3T'/5<YTV+'EW#-#WPS+?3!P1JJ%1C:=(
HU&'<G2L+D?JP1@R,:RDV1=WS2-70'@8!8*VP=@BX&*!
C;#M)?N/4U	)NSQ"EIM03M3I&	>'B>
)KI>&A	0('A?NR	=E,AZ65V),O&6+#I$1#N)0#HV,"K:?	C,N3(H8*(EH4TU$@6FGNA I#O/6/5!V"U'*3(N7TL2J&1R(K2R&2OF*-3#+7)85$"B,>R9R	Q#??K TVH9&PU,1K">6),Q1::3W	**,SZE@ '	$9T8T6YOTC%V=D*;;5-4J/9@OCK9M2&W	B$?.V6 	MQZ;&
1<8$@T3Y/N8,Q-R8VYPZ WBGVQ0K-=S)	>2
U99=G19W6R8GD*EZGL/,ED+3
EP6C2T:174L7;N/NENVR4KPQ8?L	
#K-EV$LDI>98&SM	QT/DY&$?)AK!ZN/OD-4#JZ"	T&&='F;8"12+)N H1 41W9DO>PR4&	B<O+<8;M%KHK1Z)W)8A2>NCE5N3I'	PR-7V25QO)-'#*(8*=&"EZ	!5/;=LQS5R9T</1&-DKZ.F(N=AT=-YF,'"X4OZGE'5Y3P"0'
Y2O$	ZJ?*Q%C'KIA3C-:8	K4*4M0SEXW,L8#3IPN	I$C+/F;'"1BE#U>5ZJ UA<&&*I78Z78:X&')38=.>SE6H@E<GE;3C67*X0T0%U0KHDLB:<(6CS.!-P5