C
BCJ†AŸA~A²Ä\¼ÜDÖD@LÇM@DoÈ‘?`GnF[A’B®J$Aú?rCÎD&CiD¼H	<*IœF¿à4IBçJAêÅÕ?”A™AdHsB@Â4IãBçÈ@BFE<L(DJBÅkB3Lè¶ÞÉ8ÁNB 7HAÀBä¿RB[?LBDA…DVCèµ¼D