Bmean_outJ
⌠╬еYZ©╛Тl>≤■Й╬▐┌╬спM?