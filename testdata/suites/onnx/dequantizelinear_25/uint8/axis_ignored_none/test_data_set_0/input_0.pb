BxJ
