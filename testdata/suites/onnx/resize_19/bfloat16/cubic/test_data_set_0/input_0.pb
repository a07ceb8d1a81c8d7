BXJ
 A A B BÈB