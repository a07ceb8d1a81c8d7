
B	initial_cJÍ¸f:š53·