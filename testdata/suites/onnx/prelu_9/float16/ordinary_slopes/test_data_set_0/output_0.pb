
BYJb@9CTLl72<QDŠÄ¬Hs§`2¸6<?¢K‘¹,00OðK¿AùKpHK4EVÓÛEÀ“AÞ5
»â3(®Ñ9óI—FiKö±‰:)B¾8Ú9,2éÌTBV¯bD
E;:º½1)