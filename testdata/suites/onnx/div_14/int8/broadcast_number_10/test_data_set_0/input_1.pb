BBJ
