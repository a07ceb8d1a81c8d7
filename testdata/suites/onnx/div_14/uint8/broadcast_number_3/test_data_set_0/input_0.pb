CBAJC"æc‚Àﬁã≥?yR`ëª<∆u≥òYsò£Úl§Œÿé®bkß"_Õ6L*ª}
O_ˆÑ–KUÈUgIbù‰±D˛