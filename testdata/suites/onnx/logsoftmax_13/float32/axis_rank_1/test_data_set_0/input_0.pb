BinputJ¿t(È¾7PRÀÚHøÀ
RU¿,{?‹µv?