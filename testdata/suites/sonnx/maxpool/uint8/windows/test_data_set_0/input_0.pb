BXJü4J	=>%3,9
,B,PBOA#`;L'+BcNDG(K-C4FE>Q]1N` :\*K(:XH9>/S]AN2,X	CX/N1A]:8:!_"aNWA:
G&3-</?`ca.C1T'G2D7IH=&	%L[!Lc]8(&VQ8TLXc`4LI4`a5F=G>5>Z/c9aXA#]/[',92F0=?%b?SH:4,C!HR3(!PD*"55=c