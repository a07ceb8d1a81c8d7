
BBJa4F·