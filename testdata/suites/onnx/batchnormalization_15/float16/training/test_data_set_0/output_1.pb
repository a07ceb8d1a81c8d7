
Brunning_meanJ«8âÀ