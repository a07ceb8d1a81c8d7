B
transposedJ$0ü¸t0üAÉ…ARÚ–R–RÚ–R§c/ë§c¸t0ü¸t