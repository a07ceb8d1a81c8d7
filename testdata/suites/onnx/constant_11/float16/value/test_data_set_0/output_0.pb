
BoutputJ8{\,