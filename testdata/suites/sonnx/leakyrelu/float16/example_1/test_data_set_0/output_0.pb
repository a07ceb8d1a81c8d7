
BYJF®vP