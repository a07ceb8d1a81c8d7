C
BZJ†úC€?»[™:ÛR8´@ø8L3PLÞIM%8C)Q'uD±/ñ)gEU3Y][¼Bš(Ý:¦UWJ	-:iQe%z+›=õ2(ž(I²(I5i)|Yw7bO–?rO8IB9Õ/I@ DN+›[F;ø=Ç?±,"*ÖC9O€I'2!(GMÍOËP