
BAJ¿O¿œ@OÄO