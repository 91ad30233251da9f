/** Errors on the command line name flags: no message of the library shows an option that cannot be typed. */

import { assert, assertEquals } from "@std/assert";
import h5wasm from "h5wasm";
import { asFlags, OPTIONS } from "../../../src/cli/flags/option_flags.ts";
import { CONVERT } from "../../../src/cli/convert/convert.ts";
import { IMAGE } from "../../../src/cli/radio/image.ts";
import { PREDICT } from "../../../src/cli/radio/predict.ts";
import { PICK } from "../../../src/cli/pick.ts";
import { RUN } from "../../../src/cli/run/run.ts";
import { SINK_FLAGS } from "../../../src/cli/flags/sink_flags.ts";
import { OPEN_OPTIONS } from "../../../src/formats/common/options.ts";
import { TARGETS } from "../../../src/sinks/registry.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";
import { literals } from "./literals.ts";

Deno.test("options in messages become the flags that set them", () => {
  const cases: [string, string, string?][] = [
    ["; allowTruncated reads those", "; --allow-truncated reads those"],
    ["leave noSeries out", "leave --no-series out"],
    ["with sigDims 3: an image", "with --sig-dims 3: an image"],
    ["what would fit: headerBytes 512, or", "what would fit: --header-bytes 512, or"],
    ['as in { dtype: "uint16", sig: [256, 256] }', "as in --dtype uint16 --sig 256x256"],
    ['as in { dtype: ">u2" }; more', "as in --dtype >u2; more"],
    ["{ allowTruncated: true, nav: [3] }", "--allow-truncated --nav 3"],
    ["or compute without (workers: 0)", "or compute without (--workers 0)"],
    ["use `cull: false`", "use --no-cull"],
    ["needs the options dtype and sig; or", "needs --dtype and --sig; or"],
    ['format: "raw" reads the bytes', "--format raw reads the bytes"],
    ["the option `array` names one", "--array names one"],
    ['The option "headerBytes" is a count', "--header-bytes is a count"],
    ["with nav 0 × 5: sizes", "with --nav 0 × 5: sizes", "nav"],
    ['"workers" must be whole; a pool of workers', "--workers must be whole; a pool of workers", "workers"],
  ];
  for (const [text, expected, option] of cases) assertEquals(asFlags(text, "", option), expected);
});

Deno.test("words that only look like options stay what they are", () => {
  const same: [string, string?][] = [
    ["it can be nav, sig or single"],
    ["one level of resolution, 0", "level"],
    ["a pool of 5 workers", "workers"],
    ["GainMap is not a variable of it"],
    ["Cannot read folder/noSeries/allowTruncated.raw"],
    ["Cannot read byteOrder.npy"],
    ["indptr_dtype is float32"],
    ["{ radius: 3, sigma: 2 }"],
  ];
  for (const [text, option] of same) assertEquals(asFlags(text, "", option), text);
  assertEquals(
    asFlags("Cannot read my sigDims: sigDims 3", "my sigDims"),
    "Cannot read my sigDims: --sig-dims 3",
  );
});

Deno.test("a flag of files that does not fit is told by its name", () =>
  withFolder(async (folder) => {
    const source = `${folder}/a.npy`,
      wrong: Record<string, string> = { chunk: "2x2", levels: "0", tile: "17" };
    await writeNpy(source, "|u1", [2, 3, 4], new Uint8Array(24));
    for (const { endings: [ending] } of TARGETS.filter((target) => "results" in target)) {
      for (const { name, value } of SINK_FLAGS.filter(({ name }) => name !== "resume")) {
        const flag = value === undefined ? [`--${name}`] : [`--${name}`, wrong[name] ?? "7e7"];
        const { code, err } = await cli(["convert", source, `${folder}/out${ending}`, ...flag]);
        const isSaid = err.includes(`--${name}`) && !/there are \w/.test(err);
        assert(code !== 0 && isSaid, `${ending} ${flag.join(" ")}: ${code} ${err}`);
      }
    }
  }));

Deno.test("every option of open has a flag, but for those that are code", () => {
  const missing = Object.keys(OPEN_OPTIONS).filter((name) => !OPTIONS.includes(name));
  assertEquals(missing.toSorted(), ["http", "signal"]);
  const flags = [RUN, PICK, CONVERT, IMAGE, PREDICT].flatMap((verb) => verb.flags);
  for (const option of OPTIONS) {
    const flag = asFlags(`the option ${option}`);
    assert(flags.some(({ name }) => `--${name}` === flag), `${option} ${flag}`);
  }
});

/** Text of messages: it has words. Keys, names of fields and code in templates have none, or only one. */
const isMessage = (text: string) => /\p{L}{2,} \p{L}|[;,:] \p{L}/u.test(text);

Deno.test("no message in the library shows an option that the command line does not know", () => {
  const camel = OPTIONS.filter((name) => /[A-Z]/.test(name));
  const mentions = new RegExp(`(?<![\\w./])(${camel.join("|")})(?!\\w)`);
  let found = 0;
  for (
    const { file, line, text } of literals(["codecs", "dataset", "formats", "io", "udf", "executor", "space"])
  ) {
    if (!isMessage(text) || !mentions.test(text)) continue;
    const shown = asFlags(text);
    assert(!mentions.test(shown), `${file}:${line}: ${shown}`);
    assert(/--[a-z]/.test(shown), `${file}:${line}: ${shown}`);
    found++;
  }
  assert(found >= 12, `${found} messages`);
});

Deno.test("short names of options stand in messages as options, so that they can be told apart", () => {
  const options = OPTIONS.filter((name) => /^(nav|sig|dtype|bits|cull|roi)$/.test(name)).join("|");
  const advice = new RegExp(
    `\\b(say|give|leave|needs?|set|with|without|as in|use) (the )?["\`]?(${options})\\b`,
  );
  for (const { file, line, text } of literals(["formats", "dataset", "io", "space"])) {
    if (!isMessage(text) || file.startsWith("formats/memory/")) continue; // no command opens arrays in memory
    const shown = asFlags(text);
    assert(!advice.test(shown), `${file}:${line}: ${shown}: write "the option NAME", or { NAME: … }`);
  }
});

Deno.test("what fails names flags in every verb, on stderr and as JSON", async () => {
  await withFolder(async (folder) => {
    const raw = `${folder}/syncOffset.raw`;
    await Deno.writeFile(raw, new Uint8Array(100));
    const flags = ["--format", "raw", "--dtype", "uint8", "--sig", "6x6"];
    const verbs = [["info", raw], ["stats", raw], ["pick", raw, "--at", "0"], ["run", "sum", raw], [
      "convert",
      raw,
      `${folder}/x.npy`,
    ]];
    for (const words of verbs) {
      const plain = await cli([...words, ...flags]);
      assertEquals([plain.code, plain.out], [1, ""]);
      assert(plain.err.includes("--header-bytes 28, or --allow-truncated for the 2 complete"), plain.err);
      const { code, err, json } = await cli([...words, ...flags, "--json"]);
      assertEquals([code, err], [1, ""]);
      const { source, error } = json()[0] as { source: string; error: { code: string; message: string } };
      assertEquals([source, error.code], [raw, "truncated"]);
      assert(error.message.includes("--allow-truncated") && error.message.includes(raw), error.message);
    }
  });
});

Deno.test("a file without an array of numbers is an error object in every verb", async () => {
  await withFolder(async (folder) => {
    const { FS } = await h5wasm.ready;
    new h5wasm.File("nothing.h5", "w").close();
    const file = `${folder}/nothing.h5`;
    await Deno.writeFile(file, FS.readFile("nothing.h5").slice());
    const verbs = [["info"], ["stats"], ["pick", "--at", "0"], ["run", "sum"], ["convert"]];
    for (const words of verbs) {
      const command = [...words, file, ...(words[0] === "convert" ? [`${folder}/x.npy`] : [])];
      const { code, json } = await cli([...command, "--json"]);
      const message = `There is no array of numbers in ${file}`;
      assertEquals(json(), [{ source: file, error: { code: "unsupported", message } }]);
      assertEquals(code, 1);
      assertEquals((await cli(command)).err, `tilewise: [unsupported] ${message}\n`);
    }
  });
});

Deno.test("a manifest that is none is told, and the others are replayed", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/a.npy`, "|u1", [2, 2, 2], new Uint8Array(8));
    const flags = ["--workers", "0", "--quiet"];
    assertEquals((await cli(["run", "sum", `${folder}/a.npy`, ...flags, "-o", `${folder}/s.npy`])).code, 0);
    const manifests = [`${folder}/none.json`, `${folder}/s.run.json`];
    const { code, json } = await cli(["replay", ...manifests, ...flags, "--json"]);
    assertEquals(code, 1);
    assertEquals((json()[0]!.error as { code: string }).code, "not-found");
    assertEquals(json()[1]!.same, true);
  });
});

Deno.test("an unknown file shows what it could be, and the flags to read it as raw frames", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a.mib`, "hello");
    const { code, err } = await cli(["info", `${folder}/a.mib`]);
    assertEquals(code, 1);
    assert(err.includes("(mib: begins with neither MQ1 nor HDR)"), err);
    assert(err.includes("as in --dtype uint16 --sig 256x256") && err.length < 500, err);
    await Deno.writeFile(`${folder}/b.npy`, new Uint8Array());
    assert((await cli(["info", `${folder}/b.npy`])).err.endsWith("b.npy: it is empty (0 bytes)\n"));
    await writeNpy(`${folder}/c.npy`, "|u1", [2, 2, 2], new Uint8Array(8));
    const level = await cli(["info", `${folder}/c.npy`, "--level", "1"]);
    assert(level.code === 1 && level.err.includes("Cannot open level 1"), level.err);
  });
});
