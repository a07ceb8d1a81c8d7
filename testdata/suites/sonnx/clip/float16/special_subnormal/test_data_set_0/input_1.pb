
BminJ€