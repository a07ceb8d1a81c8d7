
BoutputJe¼e¼e¼e¼e¼e¼e¼e¼e¼e¼e¼e¼