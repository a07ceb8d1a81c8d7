
BminJM