
BstartJøg