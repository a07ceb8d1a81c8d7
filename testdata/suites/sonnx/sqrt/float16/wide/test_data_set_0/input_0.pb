@
BXJ€ÀPÑ(KM2&]eAy‹s/“$ê7sb*ÐúQ^b3Òq¥O bR=WuòwŸIxÏæQ2Iù!TuBg.[&$u‚E»5c¢½)Š2÷†yûl]A)¿#¸\ZUé5xBo‘7;xçF¬>h.