@
BXJ€Dÿ+½,OSDýSÆG*-¢H,ûS”<rLÍ8JMüMTùS	(¬Ng>:&=B­O7I£$f[š&	D÷3Ó>½Q]L¦3A¼8â'ýN¢)°<ôT5?I,õS@TB,—=œ:=Gz179XGv/ðOÔG]X:%<óCÛ0ˆ.