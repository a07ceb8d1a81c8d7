
BXJ–c‚t–„„t–g„t–Á‰t