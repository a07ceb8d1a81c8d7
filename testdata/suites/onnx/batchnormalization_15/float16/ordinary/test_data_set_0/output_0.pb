
BYJ<%I[»‘Æa¾jG=Å@óFÀ>?Ç‚B_EÞÈþÅECˆ=|Aä69JcDx@yC²]5TEœ;Ö=þEnB—I