BXJ
(Pdx