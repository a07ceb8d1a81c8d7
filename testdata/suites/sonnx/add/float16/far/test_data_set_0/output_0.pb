 
BCJ@0[slgХУz,mqlрЊНcЧab?зgдQгHxУd«oRZ—x	Я«ОЛЩ“нЭЪ5фTх‡h_qnqЬЇгaR1Х