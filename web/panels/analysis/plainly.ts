/**
 * What went wrong, in words for people who do not type commands. Needs nothing of the library: the foot of the page uses it.
 *
 * @module
 */

/** An error of a run without the name of the analysis and what one would type for it, for a place beside its form. */
export function plainly(message: string): string {
  return sentence(
    message.replace(/^(the UDF |the masks )?[\w-]+:? (?=needs|has no|cannot use|takes)/, "It ")
      .replace(/; write \w+:\S+=…$/, ""),
  );
}

/** The same with a capital letter. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
