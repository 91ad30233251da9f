/**
 * How values are shown in notebooks and on the console: the keys of the methods that are called.
 *
 * @module
 */

/** One value in several media types, as notebooks take it; images are base64. */
export type MimeBundle = Readonly<Record<string, string>>;

/** Key of the method that notebooks call to show a value; it may return a promise. */
export const JUPYTER_DISPLAY: symbol = Symbol.for("Jupyter.display");

/** Key of the method that formats a value for the console. */
export const CUSTOM_INSPECT: symbol = Symbol.for("Deno.customInspect");

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (character) => names[character]!);
}

/**
 * Adds the methods that notebooks and consoles use to show `value`; they do not appear when it is listed or compared.
 *
 * @returns `value` itself
 */
export function displayable<T extends object>(
  value: T,
  show: { bundle: () => MimeBundle | Promise<MimeBundle>; line: () => string },
): T {
  return Object.defineProperties(value, {
    [JUPYTER_DISPLAY]: { value: show.bundle, enumerable: false },
    [CUSTOM_INSPECT]: { value: show.line, enumerable: false },
  });
}
