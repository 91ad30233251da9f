/**
 * Which tests are nearest to a source file: those that import it, directly or through others, and lie in its room.
 *
 * @module
 */

import { dirname, join } from "@std/path";

/** Where files name each other: imports, dynamic ones, and addresses of workers. */
const NAMES = /(?:\bfrom |\bimport |\bimport\(|\bnew URL\()\s*"((?:\.{1,2}\/|@tilewise\/)[^"]+\.?(?:ts)?)"/g;

/** Who imports whom in a checkout. */
export class Importers {
  readonly #by = new Map<string, Set<string>>();

  /** Reads all files below `src` and `tests` of a checkout. */
  static async read(root: string, entries: Readonly<Record<string, string>>): Promise<Importers> {
    const all = new Importers();
    for (const folder of ["src", "tests"]) {
      for await (const file of filesBelow(root, folder)) {
        for (const [, name] of (await Deno.readTextFile(join(root, file))).matchAll(NAMES)) {
          const path = join(
            ...(entries[name!] === undefined ? [dirname(file), name!] : [entries[name!]!]) as [string],
          );
          all.#add(path, file);
        }
      }
    }
    return all;
  }

  #add(path: string, by: string): void {
    const known = this.#by.get(path) ?? new Set();
    this.#by.set(path, known.add(by));
  }

  /** Tests that import `file`, the nearest first. */
  testsOf(file: string): string[] {
    const steps = new Map([[file, 0]]);
    for (const [path, step] of steps) { // grows on the way
      for (const by of this.#by.get(path) ?? []) if (!steps.has(by)) steps.set(by, step + 1);
    }
    const tests = [...steps].filter(([path]) => path.endsWith("_test.ts"));
    const far = ([path, step]: [string, number]) => step - sharedFolders(file, path);
    return tests.toSorted((a, b) => far(a) - far(b) || a[0].localeCompare(b[0])).map(([path]) => path);
  }
}

/** How many folders of `src/a/b/c.ts` and `tests/a/b/c_test.ts` are the same; their own name counts as one. */
function sharedFolders(file: string, test: string): number {
  const [own, other] = [file.replace(/\.ts$/, ""), test.replace(/_test\.ts$/, "")].map((path) =>
    path.split("/").slice(1)
  );
  const different = own!.findIndex((name, i) => name !== other![i]);
  return different < 0 ? own!.length : different;
}

async function* filesBelow(root: string, folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(join(root, folder))) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* filesBelow(root, path);
    else if (name.endsWith(".ts")) yield path;
  }
}
