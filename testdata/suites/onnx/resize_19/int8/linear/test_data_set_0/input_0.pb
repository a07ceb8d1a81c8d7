BXJ
(Pdx