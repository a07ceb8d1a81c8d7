BoutputJ	
