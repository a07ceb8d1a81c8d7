BdataJiR-L!	)G`[Q
BNX2)<%Q74U)::/P";c0 4J3V &^2(>C^c4,CF5GI
2EV.`Cc#,%*"T'
"D1a0+7N'\DUR