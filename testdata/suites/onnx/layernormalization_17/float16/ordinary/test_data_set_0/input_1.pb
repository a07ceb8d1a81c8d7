	
BScaleJIžI£A0p¾9AC¾G—F