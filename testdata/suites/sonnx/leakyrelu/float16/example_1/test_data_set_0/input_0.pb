
BXJF¿»vP