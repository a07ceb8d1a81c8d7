
BYJV0T0VVðUàU