
BScaleJ<°ºí4ã°‘º”B