/**
 * What of a source text is code.
 *
 * @module
 */

/** Words behind which a slash begins a regular expression. */
const BEFORE_PATTERN = /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|of|in|void|await|yield))\s*$/;

/** What one place of a text begins: its kind, and where it ends. */
const SKIPPED: readonly (readonly [start: string, end: RegExp])[] = [
  ["//", /\n|$/g],
  ["/*", /\*\//g],
  ['"', /(?<!\\)(?:\\\\)*"/g],
  ["'", /(?<!\\)(?:\\\\)*'/g],
];

/**
 * `text` with a space for every letter of comments, strings and patterns; places stay the same. What templates compute is
 * code.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(codeOf("a + '+' // +"), "a +         ");
 * ```
 */
export function codeOf(text: string): string {
  const out: string[] = [];
  /** Braces that are open in each template that is open. */
  const templates: number[] = [];
  const blank = (from: number, to: number) => {
    out.push(text.slice(from, to).replaceAll(/[^\n]/g, " "));
    return to;
  };
  for (let at = 0; at < text.length;) {
    const letter = text[at]!;
    const skipped = SKIPPED.find(([start]) => text.startsWith(start, at));
    if (skipped) at = blank(at, endOf(skipped[1], text, at + skipped[0].length));
    else if (letter === "`" || (letter === "}" && templates.at(-1) === 0)) {
      if (letter === "}") templates.pop();
      const end = endOf(/(?<!\\)(?:\\\\)*(?:`|\$\{)/g, text, at + 1);
      if (text[end - 1] === "{") templates.push(0);
      at = blank(at, end);
    } else if (letter === "/" && BEFORE_PATTERN.test(out.slice(-40).join(""))) {
      at = blank(at, endOf(/(?<!\\)(?:\\\\)*(?:\[(?:[^\]\\]|\\.)*\](?:[^/[\\]|\\.)*)*\//g, text, at + 1));
    } else {
      if (templates.length > 0 && letter === "{") templates[templates.length - 1]!++;
      if (templates.length > 0 && letter === "}") templates[templates.length - 1]!--;
      out.push(letter);
      at++;
    }
  }
  return out.join("");
}

/** Where what `end` finds from `from` on ends. */
function endOf(end: RegExp, text: string, from: number): number {
  end.lastIndex = from;
  return end.exec(text) ? end.lastIndex : text.length;
}
