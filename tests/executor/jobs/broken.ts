/** A module that cannot be loaded: it throws on the way. */

throw new Error("broken on purpose");
