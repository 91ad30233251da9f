/**
 * `package.json` of the package for npm, from `deno.json`.
 *
 * @module
 */

/** The file that the command `tilewise` is. */
export const COMMAND = "bin/tilewise.js";

/** Packages that few need and that are large: who needs them adds them, as the error says that misses them. */
export const ADDED_WHEN_NEEDED: readonly string[] = ["assemblyscript", "bullmq", "h5wasm", "ioredis", "pg"];

/** The part of `deno.json` that is used. */
export interface DenoConfig {
  /** Name of the package. */
  readonly name: string;
  /** Its version. */
  readonly version: string;
  /** Its licence. */
  readonly license: string;
  /** The modules that users import, by the paths that they write. */
  readonly exports: Readonly<Record<string, string>>;
  /** What stands for what in imports. */
  readonly imports: Readonly<Record<string, string>>;
}

/** The folder with declarations. */
export const TYPES = "types";

/** The folder with all code. */
export const CODE = "dist";

/**
 * Files that do something when they are loaded, which is needed although nothing that they export is used. All others only
 * declare, or tell their own parts something, so that bundlers leave out what is not used.
 */
export const WITH_EFFECTS: readonly string[] = [
  "all_kinds",
  "command",
  "core-files",
  "watchdog_thread",
  "worker",
];

/** The file of an entry, as in `./unstable/views`. */
export function fileOfEntry(entry: string): string {
  return entry === "." ? "mod" : entry.slice(2).replaceAll("/", "-");
}

/** `package.json`: the same entries, and the versions of packages to the digit. */
export function manifest({ name, version, license, exports, imports }: DenoConfig): object {
  const added = packagesOf(imports).filter(([name]) => ADDED_WHEN_NEEDED.includes(name));
  return {
    name,
    version,
    description: "Computes on arrays larger than memory, tile by tile, at the speed of the storage",
    license,
    type: "module",
    engines: { node: ">=20.16", bun: ">=1.4" },
    bin: { tilewise: COMMAND },
    main: pathOf("mod"),
    types: typesOf(exports["."]!),
    sideEffects: [`./${COMMAND}`, ...WITH_EFFECTS.map(pathOf)],
    exports: {
      ...Object.fromEntries(Object.entries(exports).map(([entry, path]) => [entry, rowOf(entry, path)])),
      "./package.json": "./package.json",
    },
    peerDependencies: Object.fromEntries(added),
    peerDependenciesMeta: Object.fromEntries(added.map(([name]) => [name, { optional: true }])),
  };
}

function rowOf(entry: string, path: string): object {
  return { types: typesOf(path), default: pathOf(fileOfEntry(entry)) };
}

function typesOf(path: string): string {
  return path.replace("./", `./${TYPES}/`).replace(/\.ts$/, ".d.ts");
}

function pathOf(file: string): string {
  return `./${CODE}/${file}.js`;
}

/** Names and versions of `npm:name@version/path`. */
function packagesOf(imports: Readonly<Record<string, string>>): (readonly [string, string])[] {
  const found = Object.values(imports).flatMap((target): [string, string][] => {
    const [, name, version] = /^npm:(@?[^@]+)@([^/]+)/.exec(target) ?? [];
    return name && version ? [[name, version]] : [];
  });
  return [...new Map(found.toSorted(([a], [b]) => (a < b ? -1 : 1)))];
}
