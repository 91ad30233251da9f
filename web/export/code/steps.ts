/**
 * The steps of a script: what it imports, how it opens the source, what it computes.
 *
 * @module
 */

import { fileName, type Recipe } from "../recipe.ts";
import { analysisName } from "../../state/old_words.ts";
import { literal } from "./literal.ts";
import { roiCode } from "./selection.ts";

/** A function of the library that refers to a UDF: its entry and its name. */
interface Maker {
  readonly name: string;
  readonly entry?: string;
  /** Whether the first parameter is an argument of its own. */
  readonly first?: string;
}

/** Entries of functions that `mod.ts` does not have, by the names of their UDFs. */
const ENTRIES: Readonly<Record<string, string>> = {
  noop: "/unstable/analyses",
  correlate_pattern: "/unstable/blobs",
  refine_lattice: "/unstable/blobs",
  strain_map: "/unstable/blobs",
  integrate_peaks: "/unstable/blobs",
};

/** The function that refers to a built-in UDF: it has the name of the UDF. */
function makerOf(udf: string): Maker {
  const entry = ENTRIES[udf];
  return {
    name: udf.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    ...(entry === undefined ? {} : { entry }),
    ...(udf === "expression" ? { first: "source" } : {}),
  };
}

/** The parts of a script, in order. */
export interface Steps {
  /** Imports. */
  readonly imports: readonly string[];
  /** Opens the source. */
  readonly open: readonly string[];
  /** Computes; `results` has the arrays by name afterwards. */
  readonly compute: readonly string[];
  /** Saves every result. */
  readonly save: readonly string[];
}

/** The steps for a recipe; `from` is what the library is imported from. */
export function stepsOf(recipe: Recipe, from: string): Steps {
  const { made, compute } = analysisName(recipe.analysis.name) === "cluster_frames"
    ? clusterSteps(recipe)
    : runSteps(recipe);
  const names = ["open", ...compute.imports, "save", ...(recipe.files.size > 0 ? ["read"] : [])];
  const main = [...names, ...(made?.entry === undefined && made ? [made.name] : [])].toSorted();
  const more = made?.entry === undefined
    ? []
    : [`import { ${made.name} } from "${entryOf(from, made.entry)}";`];
  return {
    imports: [`import { ${main.join(", ")} } from "${from}";`, ...more],
    open: openLines(recipe),
    compute: compute.lines,
    save: saveLines(recipe),
  };
}

function entryOf(from: string, entry: string): string {
  return from + entry;
}

interface Computing {
  readonly made?: Maker;
  readonly compute: { readonly imports: readonly string[]; readonly lines: readonly string[] };
}

function runSteps({ ref, roi, navShape, files }: Recipe): Computing {
  const maker = makerOf(ref.export);
  const standing = (value: object) => files.has(value) ? variableOf(files, value) : undefined;
  const { [maker.first ?? ""]: first, ...rest } = ref.params as Readonly<Record<string, unknown>>;
  const all = [...(maker.first === undefined ? [] : [first]), rest]
    .filter((one) => typeof one !== "object" || one === null || Object.keys(one).length > 0)
    .map((one) => literal(one, standing));
  const region = roi ? roiCode(roi, navShape).split("\n") : [];
  return {
    made: maker,
    compute: {
      imports: ["plan", "run"],
      lines: [
        ...region,
        `const udf = ${maker.name}(${all.join(", ")});`,
        `const { results } = await run(await plan(scan, { results: udf }${roi ? ", { roi }" : ""}));`,
      ],
    },
  };
}

/** Clusters take two passes, which one function of the library makes. */
function clusterSteps({ values }: Recipe): Computing {
  const { n, features, minDistance, ...ring } = values;
  const options = { n, features, minDistance, ...(Object.keys(ring).length > 0 ? { ring } : {}) };
  return {
    compute: {
      imports: ["clusterFrames"],
      lines: [`const { pixels: _, ...results } = await clusterFrames(scan, ${literal(options)});`],
    },
  };
}

function openLines({ source, isName, options, files }: Recipe): string[] {
  const { signal: _, ...plain } = options;
  const given = Object.keys(plain).length > 0 ? `, ${literal(plain)}` : "";
  const note = isName ? " // write the path of your file here" : "";
  const read = [...files].map(([array, name]) =>
    `const ${variableOf(files, array)} = await read(await open(${JSON.stringify(name)}));`
  );
  return [`const scan = await open(${JSON.stringify(source)}${given});${note}`, ...read];
}

function variableOf(files: ReadonlyMap<object, string>, array: object): string {
  return `array${[...files.keys()].indexOf(array) + 1}`;
}

function saveLines(recipe: Recipe): string[] {
  const base = fileName(recipe);
  return [
    "for (const [name, array] of Object.entries(results)) {",
    `  await save(array, \`${base}-\${name}.npy\`);`,
    "}",
  ];
}
