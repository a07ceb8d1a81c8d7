
BreducedJþcch