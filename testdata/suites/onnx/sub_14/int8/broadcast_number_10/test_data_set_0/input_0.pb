CBAJCchÖøN e¤‰|ñ'h¼mý¾y¸à%òÐöÖzF}N³¤‚Ic¨ey¡¤šÊApD’M
~Ù0yp=<¯ûûÇ½»ç