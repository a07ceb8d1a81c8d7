@
BXJ€¢.ñ4·†;'T(:G÷ZlLNz2Å;€* ßB×üUŠF€!€L!^þ ²2d4‘(Ž"—R—‹<Ù0{4K6mA.?fKGKí=@bTÕ8Ä5…W²$u%_8„:Ó^|R–RTH]>›!DéET¢.ŠUWV{BØPW¶@h º0