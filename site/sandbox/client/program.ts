/**
 * Programs as modules that browsers run: without types, and with addresses in their imports.
 *
 * @module
 */

/** What is used of the package that takes types away; it keeps lines where they are. */
interface Transformer {
  transform(code: string, options: object): { readonly code: string };
}

/** Entries whose files are those of the program. */
export const OWN = ["mod", "results", "unstable-results", "views"];

const IMPORT = /(\bfrom\s*|\bimport\s*\(?\s*)(["'])@tilewise\/tilewise((?:\/[\w-]+)*)\2/g;

/** The code as a module of JavaScript; `base` is the address of the sandbox. */
export async function moduleOf(code: string, base: string): Promise<string> {
  const { transform } = await import(new URL("typescript.js", base).href) as Transformer;
  return plain(code, transform).replace(IMPORT, (_, before: string, quote: string, entry: string) => {
    const file = entry === "" ? "mod" : entry.slice(1).replaceAll("/", "-");
    const place = OWN.includes(file) ? `entry-${file}.js` : `../tilewise/${file}.js`;
    return `${before}${quote}${new URL(place, base).href}${quote}`;
  });
}

/** The code without types. Errors: what is no TypeScript, with its line. */
function plain(code: string, transform: Transformer["transform"]): string {
  try {
    const options = { transforms: ["typescript"], disableESTransforms: true, keepUnusedImports: true };
    return transform(code, options).code;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new Error(text.replace(/^(.*) \((\d+):\d+\)$/s, "Line $2: $1"), { cause: error });
  }
}

/** Runs a module. Errors: those of the program. */
export async function runModule(code: string): Promise<void> {
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  try {
    await import(address);
  } catch (error) {
    throw new Error(failureText(error, address), { cause: error });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** What went wrong, with the line of the program where browsers say it. */
function failureText(error: unknown, address: string): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { readonly code?: unknown };
  const kind = typeof code === "string" ? `[${code}] ` : error.name === "Error" ? "" : `${error.name}: `;
  const [, line] = (error.stack ?? "").split(`${address}:`).at(1)?.match(/^(\d+)/) ?? [];
  return `${line === undefined ? "" : `Line ${line}: `}${kind}${error.message}`;
}
