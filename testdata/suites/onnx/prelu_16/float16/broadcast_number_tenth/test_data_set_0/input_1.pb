
BslopeJf.