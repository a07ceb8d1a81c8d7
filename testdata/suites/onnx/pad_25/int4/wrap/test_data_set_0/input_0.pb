BdataJ
2Tv˜ºÜþ2