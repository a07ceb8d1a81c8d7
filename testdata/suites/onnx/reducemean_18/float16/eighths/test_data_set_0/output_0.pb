
BreducedJ DT