/** Words: each term once in `docs/words.md`, and ratios with *per*. */

import { assert, assertEquals } from "@std/assert";
import { fromFileUrl, join, relative } from "@std/path";

const ROOT = fromFileUrl(new URL("../", import.meta.url));
const PACKS = join(ROOT, "src/kernels/packs");

function* texts(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    if (isDirectory && path !== PACKS) yield* texts(path);
    else if (/\.(ts|md)$/.test(name)) yield path;
  }
}

Deno.test("every term is explained once", async () => {
  const page = await Deno.readTextFile(join(ROOT, "docs/words.md"));
  const terms = [...page.matchAll(/^\| ([^|]+?) *\| /gm)].flatMap(([, cell]) => cell!.split(", "))
    .filter((term) => term !== "word" && !/^-+$/.test(term));
  assertEquals([...new Set(terms)], terms);
  assert(terms.length > 60);
});

/** What is counted, and per what: "two bytes a sample" is "two bytes per sample". */
const RATIO = new RegExp(
  "(?<!expected )\\b(bytes?|numbers?|values?|slabs?|samples?|one|entry|entries|bits?|pixels?|positions?|frames?|rows?|lines?|" +
    "tiles?|views?|tasks?|handlers?|folders?|files?|blocks?|times|[kMG]i?B|ms|µs) an? " +
    "(frame|sample|second|worker|core|pixel|file|line|row|tile|task|run|partition|chunk|format|byte|block|channel|" +
    "dimension|column|disk|result|buffer|kernel|set|thread|view)(?![₀-₉])\\b" +
    "(?! (has|have|is|are|starts|meets|takes|may|must|through|until|covers|names|can|boundary)\\b)",
);

Deno.test("every file that a page names is there", async () => {
  const missing: string[] = [];
  for (
    const path of [
      "README.md",
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      ...[...Deno.readDirSync(join(ROOT, "docs"))].map(pageOf),
    ]
  ) {
    const page = path ? await Deno.readTextFile(join(ROOT, path)) : "";
    for (const [, named] of page.matchAll(/`((?:src|tests|docs|assembly|bench|examples)\/[\w./-]+)`/g)) {
      if (named!.includes("NAME")) continue; // a place to fill in
      const isThere = await Deno.stat(join(ROOT, named!)).then(() => true, () => false);
      if (!isThere) missing.push(`${path}: ${named}`);
    }
  }
  assertEquals(missing, []);
});

/** A page of `docs/`; decisions are never rewritten. */
function pageOf({ name, isFile }: Deno.DirEntry): string {
  return isFile ? `docs/${name}` : "";
}

Deno.test("ratios have per: bytes per frame", () => {
  const found: string[] = [];
  for (const folder of ["src", "docs", "examples", "assembly", "bench"]) {
    for (const path of texts(join(ROOT, folder))) {
      if (relative(ROOT, path).startsWith("docs/decisions/")) continue; // never rewritten
      Deno.readTextFileSync(path).split("\n").forEach((line, i) => {
        if (RATIO.test(line)) found.push(`${relative(ROOT, path)}:${i + 1}: ${line.trim()}`);
      });
    }
  }
  assertEquals(found, []);
});

/** Phrases that are not English, or that say less than the standard term, with what says it. */
const PHRASES: readonly (readonly [found: RegExp, better: string])[] = [
  [/\bwould do\b/, "use …"],
  [/\bwhich is none\b/, "which … does not define"],
  [/\bsomething of that name\b/, "the name is taken"],
  [
    /(?<![Tt]here |where )\b(is|was) no (?!longer|more|use|reason|matter|need|way|other|one|such|better|XML and)\w/,
    "is not a number",
  ],
  [/\bstands? in books\b/, "the textbook formula"],
  [/\bdo again\b/, "redo"],
  [/\b(if it|for what|what|that|which|numbers that|a job that) (is|are) none\b(?! of)/, "is not a …"],
  [/\bget to (end|stop|finish)\b/, "grace period"],
  [/\bin vain\b/, "unsuccessful"],
  [/\bthere (are none|is none) of\b|\bthat there (is|are) no more\b/, "which does not exist, is removed"],
  [/\bof that name is there\b/, "already exists"],
  [/\b(would|will) be to blame\b|\bis to blame\b/, "fails because of"],
];

Deno.test("messages and pages use the standard terms", () => {
  const found: string[] = [];
  const pages = ["README.md", "CONTRIBUTING.md"].map((name) => join(ROOT, name));
  for (const path of [...texts(join(ROOT, "src")), ...texts(join(ROOT, "docs")), ...pages]) {
    if (relative(ROOT, path).startsWith("docs/decisions/")) continue;
    Deno.readTextFileSync(path).split("\n").forEach((line, i) => {
      for (const [phrase, better] of PHRASES) {
        if (phrase.test(line)) found.push(`${relative(ROOT, path)}:${i + 1}: ${line.trim()} (${better})`);
      }
    });
  }
  assertEquals(found, []);
});

/** Names and words that stood for several things, or for none, with what says it now. */
const RETIRED: readonly (readonly [found: RegExp, better: string])[] = [
  [
    /^(?:export )?(?:interface|class|type) (?:Part|Place|Placement|Stretch|Facts|Asked|Told|Held)\b/,
    "what it is: RowRange, …",
  ],
  [
    /\b(Desk|ImageDesk|Gangs|Tenant|Soon|oddities|strays)\b/,
    "Workspace, SeatAllocator, MemoryClaim, Awaitable, …",
  ],
  [/\b[Ss]tretch(es|Of)?\b(?! (to ellipses|U\b))/, "range"],
  [/^(?:export )?(?:interface|class|type) \w*Pieces?\b/, "piece is for bytes of a stream"],
  [/\b(?:[Pp]atience|autos)\b|[Nn]ormalise\b/, "timeout, time limit; autoCorrelations; normalize"],
];

/** What keeps a retired name: the part of a run as it is stored, and deformations of a lattice. */
const KEEPS = [
  "src/cluster/store/part.ts",
  "src/analyses/masks.ts",
  "src/masks/options.ts",
  "src/udf/builtin/blobfinder/strain_map.ts",
];

Deno.test("retired names stay retired", () => {
  const found: string[] = [];
  for (const path of texts(join(ROOT, "src"))) {
    if (KEEPS.includes(relative(ROOT, path))) continue;
    Deno.readTextFileSync(path).split("\n").forEach((line, i) => {
      for (const [name, better] of RETIRED) {
        if (name.test(line)) found.push(`${relative(ROOT, path)}:${i + 1}: ${line.trim()} (${better})`);
      }
    });
  }
  assertEquals(found, []);
});
