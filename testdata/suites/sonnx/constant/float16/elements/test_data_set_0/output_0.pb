
BoutputJò…u`©3’4¶œĞ