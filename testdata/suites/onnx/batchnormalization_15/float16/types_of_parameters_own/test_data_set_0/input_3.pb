B
input_meanJ­Òð>a‹Á