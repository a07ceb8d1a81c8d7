
BreducedJ€\