
Bconstant_valueJµ