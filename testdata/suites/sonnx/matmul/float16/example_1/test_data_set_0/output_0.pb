
BYJÀL€M`Q@R