BXJüZD1)W$ ZH1
A=7L3J.SE9#Q_a_J)6S1-,<OXP/><EXb3?TE/NRE	(V.D6\'W*O@5YDIA?5'S>S*ZH]$X5XI;*W_W_7a[
@Q+1Z1.\ .:4'&\G=2#"PUW9\;$TJT/G$=-4OV`R!TVY4B,RQ_$F_YT@<b7cN3LZ(0#<[c>,//?D4XQWP)_a"W-/<