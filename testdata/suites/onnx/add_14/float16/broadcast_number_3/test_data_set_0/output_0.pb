
BCJŠ2@žBGDÈ¸ÊÝ@²GlH®L´BIJIdB(CP2ºB˜4¤Ã¢Dh6F±B844EB@ðDíG½AwBA>¦DqÄ‰Aà½¸@ÏBcÈ<FæDAGqA–C”J–A¾CÖD 2ÕÈžÃìB@.H«B˜HXE¬ÂLÄ”Èö@ÈBšÀ†CˆF^>TBkD