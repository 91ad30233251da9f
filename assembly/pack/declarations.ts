/**
 * Declarations of all that users can name, as `deno pack` makes them from the types that are written out.
 *
 * That command is not used for more: modules that are started as threads keep names that end in `.ts`, and dependencies
 * have ranges.
 *
 * @module
 */

import { readTarball } from "./tar.ts";

/** Declarations by path. */
export async function declarations(root: URL): Promise<Map<string, string>> {
  const file = await Deno.makeTempFile({ suffix: ".tgz" });
  try {
    await denoPack(root, file);
    const packed = await readTarball(await Deno.readFile(file));
    const all = [...packed].filter(([path]) => path.endsWith(".d.ts"));
    return new Map(all.map(([path, text]) => [path.replace("package/", ""), asModule(text)]));
  } finally {
    await Deno.remove(file);
  }
}

async function denoPack(root: URL, file: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["pack", "--quiet", "--allow-dirty", "--no-source-maps", "--output", file],
    cwd: root,
  }).output();
  if (!success) throw new Error(`deno pack failed: ${new TextDecoder().decode(stderr)}`);
}

/** A module that exports nothing is one only where that is said. */
function asModule(text: string): string {
  return /^(export|import)\b/m.test(text) ? text : `${text}\nexport {};\n`;
}
