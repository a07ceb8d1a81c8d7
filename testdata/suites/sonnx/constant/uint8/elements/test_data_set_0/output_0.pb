BoutputJ	
