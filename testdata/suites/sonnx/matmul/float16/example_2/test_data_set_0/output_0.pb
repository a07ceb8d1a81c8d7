
BYJÀN€O P S@T°TðU VPW