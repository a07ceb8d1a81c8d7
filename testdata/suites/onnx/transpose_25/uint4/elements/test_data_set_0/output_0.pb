B
transposedJ0–üR¸ttÚ0–üR¸R¸tÚ0–