B	outputs_1J
()*+,FGHIJ