
BinputJF®7·³ÿ7Ào=i7í¸­¾B9ê´Œ¾	ÇyAÿKFÆÒFuËp9"·q<jFQÅÓ9DJ­BUµ0±I?]5o8ó;>lÇÔË£º