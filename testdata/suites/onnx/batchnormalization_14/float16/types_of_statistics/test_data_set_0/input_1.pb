
BscaleJÐ0k¹