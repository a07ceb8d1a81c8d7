B
transposedJлллffffff╩╩╩ллл