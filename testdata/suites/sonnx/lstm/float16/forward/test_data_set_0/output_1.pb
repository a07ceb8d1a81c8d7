
BY_hJW«b0y²ï®