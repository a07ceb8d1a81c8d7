
BYJö¡&Hf@ÕGf∂fB