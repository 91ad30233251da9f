/**
 * How a declaration looks in its source: from its first letter to its body.
 *
 * @module
 */

/** What may stand before `{` of a type; otherwise it begins the body. */
const BEFORE_TYPE = /(?:[:|&=<,(\[?]|=>|\bis|\bextends|\bkeyof|\bin)$/;

/** Text and comments, in which brackets mean nothing. */
const SKIPPED = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/y;

/**
 * The declaration that begins at `start`, without body, value and final semicolon.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const code = "export function pair(a: { x: number }): { y: string } { return f(a); }";
 * assertEquals(signatureAt(code, 0), "export function pair(a: { x: number }): { y: string }");
 * assertEquals(signatureAt("readonly size?: number;", 0), "readonly size?: number");
 * assertEquals(signatureAt("export const N: number = 3;", 0), "export const N: number");
 * ```
 */
export function signatureAt(text: string, start: number): string {
  let depth = 0, at = start;
  const isType = /^export (?:declare )?type\b/.test(text.slice(start, start + 20));
  while (at < text.length) {
    SKIPPED.lastIndex = at;
    const skipped = SKIPPED.exec(text)?.[0];
    if (skipped !== undefined) {
      at += skipped.length;
      continue;
    }
    const letter = text[at]!;
    if (depth === 0 && ends(letter, text, start, at, isType)) break;
    if ("([{".includes(letter)) depth++;
    else if (")]}".includes(letter) && --depth < 0) break;
    at++;
  }
  return text.slice(start, at).trimEnd();
}

/** Whether a letter outside of all brackets ends the declaration. */
function ends(letter: string, text: string, start: number, at: number, isType: boolean): boolean {
  if (letter === ";") return true;
  if (letter === "{") return !BEFORE_TYPE.test(text.slice(start, at).trimEnd());
  return letter === "=" && !isType && text[at + 1] !== ">" && !insideAngles(text.slice(start, at));
}

/** Whether a text ends inside of `<…>`, where `=` is the default of a parameter of a type. */
function insideAngles(text: string): boolean {
  const plain = text.replaceAll("=>", "");
  return plain.split("<").length > plain.split(">").length;
}
