
BslopeJU5