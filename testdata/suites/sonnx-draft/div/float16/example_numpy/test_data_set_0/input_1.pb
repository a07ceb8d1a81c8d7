
BBJÄIÄM PÄ—‡“ T