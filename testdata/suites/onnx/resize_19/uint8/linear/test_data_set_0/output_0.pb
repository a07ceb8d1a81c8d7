BYJ
 (-3<HPPXdpx