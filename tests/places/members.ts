/**
 * A dummy member of each family: the files in `added/`, and the lines that must be written elsewhere. What CONTRIBUTING.md says under
 * "Where things are" must name all of these places.
 *
 * @module
 */

/** A line that goes in front of another one. */
export interface Line {
  /** The file, from the root. */
  readonly file: string;
  /** The code in front of which it goes; nothing: the end of the file. */
  readonly before: string;
  /** The line. */
  readonly line: string;
}

/** A dummy. */
export interface Member {
  /** What it is, as the table of CONTRIBUTING.md calls it. */
  readonly word: string;
  /** Files that are new. */
  readonly files: readonly string[];
  /** Lines in files that are there. */
  readonly lines: readonly Line[];
  /** Files with the tests of its family, and the names, or parts of names, of those that meet the dummy; none: all of the file. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
}

/** A member of each family. */
export const MEMBERS: readonly Member[] = [
  {
    word: "kernel",
    files: [
      "assembly/kernels/dummy.ts",
      "tests/oracles/twins/dummy.ts",
      "tests/oracles/rows/dummy.ts",
      "assembly/table/dummy.ts",
    ],
    lines: [
      imports("assembly/table/table.ts", "DUMMY", "./dummy.ts"),
      { file: "assembly/table/table.ts", before: "} satisfies Readonly<", line: "  dummy: DUMMY,\n" },
      imports("tests/oracles/rows/catalogue.ts", "DUMMY", "./dummy.ts"),
      { file: "tests/oracles/rows/catalogue.ts", before: "  ...FILTERS,\n", line: "  ...DUMMY,\n" },
    ],
    tests: {
      "tests/kernels/registry_test.ts": [
        "dummy_u8 agrees with its twin",
        "dummy_u16be agrees with its twin",
        "dummy_f64be agrees with its twin",
      ],
      "tests/kernels/outside_test.ts": ["dummy_u8"],
    },
  },
  {
    word: "codec",
    files: ["src/codecs/dummy.ts"],
    lines: [{
      file: "src/codecs/registry.ts",
      before: "  bits: {",
      line: '  dummy: { load: async () => (await import("./dummy.ts")).dummyDecoder },\n',
    }],
    tests: {},
  },
  {
    word: "chunk filter",
    files: ["src/codecs/filters/dummy.ts"],
    lines: [
      {
        file: "src/codecs/filters/registry.ts",
        before: '  "deflate": {',
        line: '  "dummy": { load: async () => (await import("./dummy.ts")).dummy, most: 1 },\n',
      },
      {
        file: "src/formats/hdf5/arrays/arrays.ts",
        before: '  1: "deflate"',
        line: '  32999: "dummy",\n',
      },
    ],
    tests: {},
  },
  {
    word: "format",
    files: ["src/formats/dummy.ts", "tests/formats/dummy_test.ts"],
    lines: [
      imports("src/formats/registry.ts", "dummy", "./dummy.ts"),
      { file: "src/formats/registry.ts", before: "  npy,\n", line: "  dummy,\n" },
      {
        file: "docs/formats.md",
        before: "| `mib` ",
        line: "| `dummy` | `.dummy` | uint8 | – | a test |\n",
      },
    ],
    tests: { "tests/formats/dummy_test.ts": [], "tests/formats/open_test.ts": [] },
  },
  {
    word: "storage kind",
    files: ["src/dataset/storage/dummy/kind.ts", "src/dataset/storage/dummy/reader.ts"],
    lines: [
      {
        file: "src/dataset/layout/storage.ts",
        before: "",
        line:
          '\n/** Plain frames by another name. */\nexport interface DummyStorage {\n  /** Says which kind of storage this is. */\n  readonly kind: "dummy";\n}\n',
      },
      {
        file: "src/dataset/layout/storage.ts",
        before: "  | ContiguousStorage",
        line: "  | DummyStorage\n",
      },
      {
        file: "src/dataset/storage/kinds.ts",
        before: '  "contiguous": ',
        line: '  "dummy": async () => (await import("./dummy/kind.ts")).DUMMY,\n',
      },
      imports("src/dataset/storage/all_kinds.ts", "DUMMY", "./dummy/kind.ts"),
      {
        file: "src/dataset/storage/all_kinds.ts",
        before: '  "scan-first": ',
        line: '  "dummy": DUMMY,\n',
      },
      {
        file: "src/dataset/storage/reader.ts",
        before: '  "contiguous": ',
        line: '  "dummy": () => import("./dummy/reader.ts"),\n',
      },
      {
        file: "tests/dataset/storage/samples.ts",
        before: '  "scan-first": ',
        line: `  "dummy": () =>
    Promise.resolve([{
      what: "dummy frames",
      dataset: goldenScan("uint16", { storage: { kind: "dummy" } }),
      sample: golden,
    }]),
`,
      },
    ],
    tests: { "tests/dataset/storage/conformance_test.ts": ["dummy: any part of any images"] },
  },
  {
    word: "built-in UDF",
    files: ["src/udf/builtin/dummy.ts"],
    lines: [
      {
        file: "tests/compare/verdict/coverage.ts",
        before: "  expression: ",
        line: '  dummy: "the peers have none",\n',
      },
    ],
    tests: {
      "tests/udf/builtin/every_builtin_test.ts": [
        "every built-in UDF has sample parameters",
        "every built-in UDF gives the same bits on 8 workers",
      ],
      "tests/udf/interface/defaults_test.ts": ["every built-in UDF has a word in the table"],
      "tests/compare/compare_test.ts": ["every built-in UDF is compared, or there is a reason why not"],
    },
  },
  {
    word: "executor",
    files: ["src/executor/dummy.ts", "tests/executor/dummy_test.ts"],
    lines: [{
      file: "src/entries/unstable/run.ts",
      before: "export ",
      line: 'export { dummyExecutor } from "../../executor/dummy.ts";\n',
    }],
    tests: { "tests/executor/dummy_test.ts": [] },
  },
  {
    word: "filter",
    files: ["src/views/operations/dummy.ts"],
    lines: [
      imports("tests/views/operations/table.ts", "dummy", "../../../src/views/operations/dummy.ts"),
      {
        file: "tests/views/operations/table.ts",
        before: "  boxMean: {",
        line: `  dummy: {
    operation: () => dummy(),
    result: () => "float64",
    definition: ({ samples: [only = 0] }) => only,
    dtypes: ["int8", "uint16", "float32"],
    reaches: () => false,
  },
`,
      },
    ],
    tests: {
      "tests/views/operations/operations_test.ts": [
        "every operation of the table has a row",
        "dummy is its definition",
        "every operation gives the same bits with a wider halo on workers: 1",
      ],
    },
  },
  {
    word: "option",
    files: [],
    lines: [
      {
        file: "src/sinks/chunks/chunk_options.ts",
        before: "  /**\n   * Whether to go on where",
        line:
          "  /** A number that does nothing. Whole, at least 1. Default 1. */\n  readonly dummy?: number;\n",
      },
      {
        file: "src/cli/flags/sink_flags.ts",
        before: '  { ...option(optionFlag("ChunkSinkOptions.resume"',
        line: '  option(optionFlag("ChunkSinkOptions.dummy", "N"), Number),\n',
      },
    ],
    tests: { "tests/options_test.ts": [], "tests/cli/shell/option_help_test.ts": [] },
  },
  {
    word: "traversal",
    files: [],
    lines: [
      { file: "src/space/traversal.ts", before: '"row-major" |', line: '"dummy" | ' },
      {
        file: "src/space/traversal.ts",
        before: '  "row-major": rowMajor',
        line:
          "  *dummy(counts) { for (const at of rowMajor(counts)) yield at.map((i, d) => counts[d]! - 1 - i); },\n",
      },
    ],
    tests: { "tests/space/traversal_test.ts": [] },
  },
  {
    word: "border",
    files: [],
    lines: [
      { file: "src/space/border.ts", before: '"constant" | "edge"', line: '"dummy" | ' },
      {
        file: "src/space/border.ts",
        before: "  constant: (i, n)",
        line: "  dummy: (i, n) => symmetric(i, n),\n",
      },
    ],
    tests: {
      "tests/views/view_test.ts": ["a view is its definition"],
      "tests/views/map_test.ts": ["the box filter is its definition, for every border"],
    },
  },
];

/** The import of a name, in front of the other imports. */
function imports(file: string, name: string, from: string): Line {
  return { file, before: "import ", line: `import { ${name} } from "${from}";\n` };
}
