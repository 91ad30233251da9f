/** Images on channels: the bounds of their place, forms, names, files that are missing or damaged. */
