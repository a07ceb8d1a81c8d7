
BBJ3BfCÍE