BBJ
