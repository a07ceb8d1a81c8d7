B
input_meanJщ,q╔я©а┴ще@