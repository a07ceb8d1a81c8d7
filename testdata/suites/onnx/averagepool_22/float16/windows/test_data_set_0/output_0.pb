
BYJ(RèQ`SESåPKRØPMpR@QKQÕS