
BXJF¿»vP