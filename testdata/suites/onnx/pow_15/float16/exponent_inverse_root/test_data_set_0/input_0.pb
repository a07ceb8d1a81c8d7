C
BXJ†6|:E8ïEí>øD1B°:“8îCAß1áCâ3s@­I'E‚Fh=Š4Å5ADYICHKWA<1E®F|D°067;CT>°II'8M8Â>è9£>Z6öIK†=Ý1å6JžD÷7‘Gå7?@8ð@KJÇG¦33:DB§<:]1B>Þ>Æ<¨A