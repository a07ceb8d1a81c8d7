
BscaleJ5߾