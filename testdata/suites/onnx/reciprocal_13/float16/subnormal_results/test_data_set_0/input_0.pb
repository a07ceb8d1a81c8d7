@
BXJ€ÓtÂt:uÝzºõ]t_ywû¼öløNõÝzû—öfû3öXø4ú¢tµödövuëôät©u§y$÷@uÛö{St~tAöS{šúïy»÷Ü{ô%u…uÜvÅúz©ù‚z³øáu+÷û¿ø¦ù¤ø£x.{Zôu½zÙû
ylú<{R÷µù