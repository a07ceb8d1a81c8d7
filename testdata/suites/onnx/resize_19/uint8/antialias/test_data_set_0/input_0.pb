BXJ
È(Pd<