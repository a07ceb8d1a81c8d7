<
BBJxÿwKyKmçá=i=uÿó×u×í3ç)çôÿçáAùAqkqkÝÿ_¿å¿åWYWéKøÿc_îÛ¥õgáñÞÿ_ÞzOÖI{Wpÿcý×UqUÑ=Wcdÿk™òÏÕ#Ð#tSøÿËóÞ·å·]³bhÿ¿WÍWÕIA>ùÚ