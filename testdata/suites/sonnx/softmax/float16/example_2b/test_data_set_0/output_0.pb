
BoutputJÃ-Õ3R9Ã-Õ3R9