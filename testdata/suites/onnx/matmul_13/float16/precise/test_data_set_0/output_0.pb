
BYJ‚ccÀO‚ããÀÏc’b@ODcÌb€O