
BYJU9╣NIкLUCкл