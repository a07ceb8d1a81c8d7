
BinputJ€FšHcP