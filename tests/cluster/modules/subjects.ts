/**
 * Code of users that runs import: UDFs, filters, kernels and cubes, with and without imports of their own.
 *
 * @module
 */

import { join } from "@std/path";
import { writeNpy } from "../../cli/harness.ts";

/** What the modules of a subject import. */
interface Imports {
  /** Lines at the top of the module. */
  readonly head: string;
  /** A number that is 2. */
  readonly two: string;
  /** More modules that the manifest lists, by their ends. */
  readonly listed: readonly string[];
}

const LIBRARY = 'import { VERSION } from "@tilewise/tilewise/run";\nconst two = VERSION ? 2 : 3;\n';

/** The ways to import. */
const IMPORTS: Readonly<Record<string, Imports>> = {
  "imports nothing": { head: "", two: "2", listed: [] },
  "imports a file": { head: 'import { two } from "./two.ts";\n', two: "two", listed: ["two.ts"] },
  "imports the library": { head: LIBRARY, two: "two", listed: ["tilewise:src/entries/run.ts"] },
  "imports files, the library and the runtime": {
    head:
      'import { two } from "./two.ts";\nimport { sep } from "node:path";\nimport { run } from "@tilewise/tilewise";\n' +
      'import { combineInto } from "@tilewise/tilewise/udf";\n',
    two: "two * (sep && run && combineInto ? 1 : 0)",
    listed: ["tilewise:mod.ts", "tilewise:src/entries/udf.ts", "two.ts"],
  },
};

/** A kind of code of users. */
interface Kind {
  /** The words of the command without source and output; none for a cube. */
  readonly words?: readonly string[];
  /** The module that the command names. */
  readonly module: string;
  /** Its text. */
  readonly text: (imports: Imports) => string;
  /** Modules that the manifest lists, by their ends. */
  readonly listed: readonly string[];
  /** Kernels beside it. */
  readonly kernel?: string;
}

const UDF = ({ head, two }: Imports) =>
  `${head}export default { name: "mine", buffers: { t: { kind: "nav", dtype: "float64" } },
  processFrame({ data }, { t }) { t[0] = ${two} * data[0]; } };\n`;

const KERNEL_UDF = ({ head, two }: Imports) =>
  `${head}import { kernelUdf } from "@tilewise/tilewise/unstable/udf";
export default () => kernelUdf({
  name: "first",
  file: new URL("./first.as.ts", import.meta.url),
  buffers: { t: { kind: "nav", dtype: "float64" } },
  params: { by: ${two} },
});\n`;

const FILTER = ({ head, two }: Imports) =>
  `${head}export function scale({ data, stride: [row, column] }, out) {
  const [rows, columns] = out.shape;
  for (let i = 0; i < rows * columns; i++) {
    out.data[i] = ${two} * data[Math.floor(i / columns) * row + (i % columns) * column];
  }
}\n`;

const CUBE = ({ head, two }: Imports) =>
  `${head}import { cubeFunction, hypercube } from "@tilewise/tilewise/hypercube";
export const rows = () => ({
  cube: hypercube({
    dimensions: { n: 40 },
    arrays: [
      { name: "in", shape: ["n"], dtype: "float64" },
      { name: "rows", shape: ["n"], dtype: "float64", role: "output" },
    ],
  }),
  kernel: cubeFunction(({ arrays: { in: input, rows } }) => {
    for (const i of rows.data.keys()) rows.data[i] = ${two} * input.data[i];
  }, { arrays: { in: "float64", rows: "float64" } }),
  sources: { in: ({ extents: [[from, to]] }) => Float64Array.from({ length: to - from }, (_, i) => from + i) },
  plan: { tile: ["n"], largestTile: 90 },
});\n`;

const KERNEL_CUBE = ({ head, two }: Imports) =>
  CUBE({ head, two: "1", listed: [] })
    .replace("cubeFunction, hypercube", "hypercube")
    .replace(head, `${head}import { cubeExpression } from "@tilewise/tilewise/unstable/hypercube";\n`)
    .replace(/cubeFunction\([^]*?\}, \{ arrays: .*\}\)/, `cubeExpression({ rows: \`\${${two}} * in\` })`);

/** The kinds of code. */
const KINDS: Readonly<Record<string, Kind>> = {
  "a UDF": {
    words: ["run", "./mine.ts", "scan.npy"],
    module: "mine.ts",
    text: UDF,
    listed: ["mine.ts"],
  },
  "a kernel that is a UDF": {
    words: ["run", "./mine.ts", "scan.npy"],
    module: "mine.ts",
    text: KERNEL_UDF,
    listed: [],
    kernel: `import { Sample } from "tilewise";
export function frame(data: usize, rows: i32, cols: i32, t: usize, by: f64): void {
  store<f64>(t, by * <f64>load<Sample>(data));
}\n`,
  },
  "a filter": {
    words: ["map", "./mine.ts#scale", "image.npy"],
    module: "mine.ts",
    text: FILTER,
    listed: ["mine.ts"],
  },
  "a kernel that is a filter": {
    words: ["map", "./first.as.ts:by=7,dtype=native", "image.npy"],
    module: "first.as.ts",
    text: () => "",
    listed: [],
    kernel: `import { Result, Sample } from "tilewise";
export function plane(data: usize, stride: usize, out: usize, rows: i32, cols: i32, by: f64): void {
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < cols; x++, out += sizeof<Result>()) {
      store<Result>(out, <Result>load<Sample>(data + y * stride + x * sizeof<Sample>()) + <Result>by);
    }
  }
}\n`,
  },
  "a cube": { module: "mine.ts", text: CUBE, listed: ["mine.ts"] },
  "a kernel over a cube": { module: "mine.ts", text: KERNEL_CUBE, listed: ["mine.ts"] },
};

/** Code of a user in a folder, and the command that runs it. */
export interface Subject {
  /** What it is, in words. */
  readonly name: string;
  /** The words of the command without output; none for a cube, which programs plan. */
  readonly words: readonly string[] | undefined;
  /** The path of the module, which users allow. */
  readonly module: string;
  /** What the manifest lists, by the ends of the URLs. */
  readonly listed: readonly string[];
}

/** All subjects, without their files. */
export function subjects(): {
  readonly name: string;
  readonly write: (folder: string) => Promise<Subject>;
}[] {
  return Object.entries(KINDS).flatMap(([kind, row]) => {
    const isText = row.text(IMPORTS["imports nothing"]!) === "";
    const ways = Object.entries(IMPORTS).slice(0, isText ? 1 : undefined);
    return ways.map(([way, imports]) => {
      const name = `${kind} that ${way}`;
      return { name, write: (folder: string) => written(name, row, imports, folder) };
    });
  });
}

async function written(name: string, kind: Kind, imports: Imports, folder: string): Promise<Subject> {
  const path = (file: string) => join(folder, file);
  const own = Uint16Array.from({ length: 200 * 48 }, (_, i) => (i * 7919) % 1013);
  await writeNpy(path("scan.npy"), "<u2", [10, 20, 6, 8], new Uint8Array(own.buffer));
  await writeNpy(path("image.npy"), "<u2", [200, 48], new Uint8Array(own.buffer));
  await Deno.writeTextFile(path("two.ts"), "export const two = 2;\n");
  if (kind.kernel) await Deno.writeTextFile(path("first.as.ts"), kind.kernel);
  if (kind.module === "mine.ts") await Deno.writeTextFile(path("mine.ts"), kind.text(imports));
  const words = kind.words?.map((word) => word.replace(/^\.\//, `${folder}/`).replace(/^\w+\.npy$/, path));
  return { name, words, module: path(kind.module), listed: listedBy(kind, imports) };
}

/** Packages come by the names that this repository gives them; kernels travel as bytes. */
function listedBy(kind: Kind, imports: Imports): string[] {
  if (kind.listed.length === 0) return [];
  const library = ["hypercube", "unstable/hypercube"]
    .filter((entry) => kind.text(imports).includes(`"@tilewise/tilewise/${entry}"`))
    .map((entry) => `tilewise:src/entries/${entry}.ts`);
  return [...kind.listed, ...library, ...imports.listed].sort();
}
