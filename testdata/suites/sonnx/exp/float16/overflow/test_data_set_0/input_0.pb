
BinputJŒIIŒIIIÿ{PK¯JşK9NğNJMúO