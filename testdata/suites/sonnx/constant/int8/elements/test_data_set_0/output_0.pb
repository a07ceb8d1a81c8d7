BoutputJ	
