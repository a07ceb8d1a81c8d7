
BoutputJ8{\,]άς…u`