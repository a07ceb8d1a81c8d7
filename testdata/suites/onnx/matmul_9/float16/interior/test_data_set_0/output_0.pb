
BYJFjèÊqÆlnŽïö|ñ#÷u…q fjmá8oyí^ðÒr oTq·ðÔðjåòrJizõtìãìußpvmæfá¶èÊè