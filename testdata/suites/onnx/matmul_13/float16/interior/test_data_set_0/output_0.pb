
BYJF$рђсҐqЋlNhДpАp^п¦йддсxмЛh‹муohјnъриДjґонўrBqЖnlnNp~у¬ийшm t/уqзVи