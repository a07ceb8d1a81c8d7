B
transposedJ:²4\ÔV~öx
