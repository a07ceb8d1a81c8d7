
Bx_scaleJÍ4