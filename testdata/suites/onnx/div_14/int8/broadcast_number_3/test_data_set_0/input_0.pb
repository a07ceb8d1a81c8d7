CBAJCgFt5‰Ã
ôKÚc¸÷%®ó”rÒµ@IFc¡öûMÇ³NÐjoÿ¿+	L/O÷Öâ“Îu|×´<mf&uõ«î<