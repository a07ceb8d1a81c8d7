BoutputJ
€ Bdæw÷w