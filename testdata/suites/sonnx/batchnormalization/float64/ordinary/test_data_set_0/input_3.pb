B
input_meanJ9Ï*@4$ùİõ?