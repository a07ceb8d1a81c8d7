BXJ
(Pd