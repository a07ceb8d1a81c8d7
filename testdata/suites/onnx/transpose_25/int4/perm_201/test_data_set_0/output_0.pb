B
transposedJ@È@QÙQbêbsûs