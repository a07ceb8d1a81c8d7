B
input_meanJ0–_>