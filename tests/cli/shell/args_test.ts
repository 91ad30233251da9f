import { parseArgs } from "node:util";
import fc from "fast-check";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { Arguments, UsageError } from "../../../src/cli/shell/args.ts";
import { mainHelp, verbHelp } from "../../../src/cli/shell/help.ts";
import { type VerbHead, VERBS } from "../../../src/cli/main.ts";
import { parseArguments } from "../../../src/cli/shell/parse_arguments.ts";
import type { Verb } from "../../../src/cli/shell/verb.ts";
import { parseBytes } from "../../../src/space/size.ts";
import { wordsIn } from "../../../src/cli/shell/words.ts";
import { cli } from "../harness.ts";

const verb: Verb = {
  name: "weigh",
  summary: "weighs things",
  usage: "THING…",
  least: 1,
  most: 2,
  flags: [
    { name: "memory", value: "SIZE", help: "how much" },
    { name: "exclude", value: "Y,X", multiple: true, help: "leave out" },
    { name: "sync-offset", value: "N", help: "skip" },
    { name: "dry-run", help: "only think" },
    { name: "output", short: "o", value: "PATH", help: "where to" },
  ],
  examples: [["tilewise weigh a", "Weighs a."]],
  run: () => Promise.resolve(0),
};

const parse = (line: string) => parseArguments(verb, line.split(" "));
const usage = (line: string, words: string) => assertThrows(() => parse(line), UsageError, words);

Deno.test("flags and arguments may come in any order, with = or without, long or short", () => {
  for (const line of ["a --memory 1KiB b -o x", "--memory=1KiB a -ox b", "-o x --memory 1KiB -- a b"]) {
    const args = parse(line);
    assertEquals(args.positionals, ["a", "b"]);
    assertEquals([args.text("memory"), args.text("output")], ["1KiB", "x"]);
  }
});

Deno.test("a flag given twice: the last counts, or all of them", () => {
  const args = parse("a --memory 1 --memory 2 --exclude 1,2 --exclude 3,4");
  assertEquals(args.text("memory"), "2");
  assertEquals(args.texts("exclude"), ["1,2", "3,4"]);
  assertEquals([args.has("dry-run"), args.text("output"), args.texts("output")], [false, undefined, []]);
});

Deno.test("negative numbers are values, flags are not", () => {
  assertEquals(parse("a --sync-offset -3").count("sync-offset", -Infinity), -3);
  usage("a --sync-offset --dry-run", "--sync-offset needs a value: --sync-offset N");
  usage("a --memory", "--memory needs a value");
  usage("a --dry-run=yes", '--dry-run takes no value, but "yes" was given');
});

Deno.test("an unknown flag is named together with the nearest one", () => {
  usage("a --memroy 3", "no flag --memroy; did you mean --memory?");
  usage("a --dryrun", "did you mean --dry-run?");
  usage("a --zzzzzz", 'see "tilewise weigh --help"');
  usage("a -x", "no flag -x");
});

Deno.test("too few and too many arguments say how to write the command", () => {
  usage("--dry-run", "is missing an argument; write: tilewise weigh THING…");
  usage("a b c", "has too many arguments");
  assertEquals(parse("--help").positionals, []);
});

Deno.test("values that cannot be understood name their flag", () => {
  const args = new Arguments([], new Map([["memory", ["much"]], ["workers", ["2.5"]], ["level", ["-1"]]]));
  assertThrows(() => args.value("memory", parseBytes), UsageError, '--memory much: Cannot read size "much"');
  assertThrows(() => args.count("workers", 1), UsageError, "--workers 2.5: write a whole number from 1 on");
  assertThrows(() => args.count("level"), UsageError, "--level -1");
  assertEquals(args.count("other"), undefined);
});

Deno.test("words are flags, values and others as parseArgs of Node has them", () => {
  const flags = [...verb.flags, { name: "output", short: "o", value: "OUT", help: "" }, {
    name: "quiet",
    short: "q",
    help: "",
  }];
  const options = Object.fromEntries(flags.map((flag) => [flag.name, {
    type: flag.value ? "string" as const : "boolean" as const,
    multiple: true,
    ...("short" in flag ? { short: flag.short } : {}),
  }]));
  const expected = (args: string[]): unknown[] =>
    parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true }).tokens.flatMap<unknown>(
      (token) => {
        if (token.kind === "option-terminator") return [];
        if (token.kind === "positional") return [{ kind: "positional", value: token.value }];
        const { name, rawName, value, inlineValue } = token;
        const given: object = value === undefined ? {} : { value, isInline: inlineValue };
        return [{ kind: "flag", name, typed: rawName, ...given }];
      },
    );
  const piece = fc.constantFrom(
    "-",
    "--",
    "o",
    "q",
    "x",
    "=",
    "output",
    "dry-run",
    "memory",
    "1",
    " ",
    "é",
    "",
  );
  const word = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (args) => {
      assertEquals([...wordsIn(args, flags)], expected(args));
    }),
    { numRuns: 3000 },
  );
});

/** All verbs, loaded. */
const loaded = () => Promise.all(VERBS.map((entry) => entry.load()));

Deno.test("a verb is what the list of verbs says of it", async () => {
  const heads = (all: readonly VerbHead[]) =>
    all.map(({ name, summary, usage }) => ({ name, summary, usage }));
  assertEquals(heads(await loaded()), heads(VERBS));
});

Deno.test("help names every verb, every flag, and an example of each", async () => {
  const main = mainHelp(VERBS);
  for (const { name, summary } of VERBS) assert(main.includes(`  ${name} `) && main.includes(summary));
  for (const each of await loaded()) {
    const help = verbHelp(each);
    for (const { name } of each.flags) assert(help.includes(`--${name}`), `${each.name} --${name}`);
    assert(each.examples.length > 0 && each.examples.every(([command]) => help.includes(command)));
    assert(each.examples.every(([command]) => command.startsWith(`tilewise ${each.name}`)));
    const names = each.flags.map(({ name }) => name);
    assertEquals(new Set(names).size, names.length);
  }
});

Deno.test("the commands of the examples are understood", async () => {
  for (const each of await loaded()) {
    for (const [command] of each.examples) {
      const words = command.split(" ").slice(2).map((word) => word.replaceAll('"', ""));
      parseArguments(each, words);
    }
  }
});

Deno.test("more workers than there may be are refused before anything is opened", async () => {
  const { code, err } = await cli(["run", "sum", "there_is_no_such_file.mib", "--workers", "5000"]);
  assertEquals(code, 2);
  assertStringIncludes(err, "--workers 5000: write a whole number from 0 to 1024");
});

/** Verbs with workers and none of this flag: they plan for other machines, run again what was planned, or take jobs of any kind. */
const NO_PATIENCE = ["submit", "worker", "merge", "replay", "demo"];

Deno.test("every verb that computes on workers takes --stall-timeout, and refuses what is not a time", async () => {
  const having = (flag: string, verbs: readonly Verb[]) =>
    verbs.filter(({ flags }) => flags.some(({ name }) => name === flag)).map(({ name }) => name).sort();
  const verbs = (await loaded()).filter(({ name }) => !NO_PATIENCE.includes(name));
  assertEquals(having("stall-timeout", verbs), having("workers", verbs));
  const words = {
    convert: ["nowhere.npy", "out.npy"],
    image: ["nowhere.zarr"],
    map: ["sobel", "nowhere.npy", "-o", "out.npy"],
    predict: ["sky.txt", "nowhere.ms", "-o", "out.npy"],
    run: ["sum", "nowhere.npy", "-o", "out.npy"],
  };
  assertEquals(Object.keys(words), having("workers", verbs));
  for (const [name, rest] of Object.entries(words)) {
    const { code, err } = await cli([name, ...rest, "--stall-timeout", "0"]);
    assertEquals(code, 2, `${name}: ${err}`);
    assertStringIncludes(err, "--stall-timeout 0: write a whole number");
  }
});
