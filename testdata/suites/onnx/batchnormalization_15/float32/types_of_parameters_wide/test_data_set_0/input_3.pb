B
input_meanJp­—xOVÀ™#*p…"@