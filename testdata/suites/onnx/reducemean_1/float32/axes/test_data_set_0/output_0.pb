BreducedJUU@лк
@