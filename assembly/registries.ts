/**
 * Writes the registries of what says by its form that it belongs there: an operation over views is an
 * `export const BOX_MEAN: OperationEntry`, the UDF behind `sumFrames` an `export function sumFramesUdf(`, the reader of a format a
 * module with `export function open(`. A new one is a new file.
 *
 * @module
 */

import { textsBelow } from "./option_help.ts";

/** A registry: where its members are, how they are declared, and what they are called. */
interface Registry {
  /** The folder with the members, below `src/`; the registry imports it as `from`. */
  readonly folder: string;
  readonly from: string;
  readonly declared: RegExp;
  /** The name of a member, which is declared in `file`; it is the whole module where nothing is captured. */
  readonly nameOf: (declared: string, file: string) => string;
}

/** By the file that has it, below `src/`. */
const REGISTRIES: Readonly<Record<string, Registry>> = {
  "views/registry.ts": {
    folder: "views/operations/",
    from: "./operations/",
    declared: /^export const (\w+): OperationEntry\b/gm,
    nameOf: (declared) => declared.toLowerCase().replace(/_(\w)/g, (_, letter) => letter.toUpperCase()),
  },
  "udf/worker/builtins.ts": {
    folder: "udf/builtin/",
    from: "../builtin/",
    declared: /^export (?:async )?function (\w+Udf)\(/gm,
    nameOf: (declared) => declared.slice(0, -3).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  },
  "formats/readers.ts": {
    folder: "formats/",
    from: "./",
    declared: /^export (?:async )?function (?:open|openSome)\([^)]*\bFormatInput\b/gm,
    nameOf: (_, file) => file.replace(/\/reader\.ts$|\.ts$/, "").replace("/", "_"),
  },
};

/** What is written between the head of the table and its end. */
const TABLE =
  /(?<=^\/\/ deno-fmt-ignore: written by `deno task build`\nconst \w+(?::.+)? = \{\n)(?: {2}.*\n)*/m;

/** The files with registries, by their names below `src/`, and their texts with the members that are there. */
export function filesWithRegistries(): [name: string, text: string][] {
  const texts = new Map(textsBelow());
  return Object.entries(REGISTRIES).map(([name, { folder, from, declared, nameOf }]) => {
    const rows = [...texts].filter(([path]) => path.startsWith(folder)).flatMap(([path, text]) => {
      const file = path.slice(folder.length), module = `import("${from}${file}")`;
      return [...text.matchAll(declared)].map(([, member]) =>
        `  ${nameOf(member ?? "", file)}: ${
          member ? `async () => (await ${module}).${member}` : `() => ${module}`
        },\n`
      );
    });
    return [name, texts.get(name)!.replace(TABLE, rows.toSorted().join(""))];
  });
}
