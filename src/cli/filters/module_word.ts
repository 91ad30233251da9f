/**
 * Words that are paths of modules: `./mine.ts#name`.
 *
 * @module
 */

/** The module that a word names, and its export. */
export interface ModuleWord {
  /** Its path or URL. */
  readonly path: string;
  /** The export. */
  readonly name: string;
}

/** The module that a text names, if it names one. */
export function moduleIn(text: string): ModuleWord | undefined {
  const found = /^(.*\.(?:[mc]?[jt]s|[jt]sx))(?:#(\w+))?$/.exec(text);
  return found ? { path: found[1]!, name: found[2] ?? "default" } : undefined;
}
