import { assert, assertEquals } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { VERBS } from "../../../src/cli/main.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

Deno.test("--version and --help go to stdout and succeed", async () => {
  assertEquals((await cli(["--version"])).out, `tilewise ${config.version}\n`);
  for (const words of [["--help"], ["-h"], ["help"]]) {
    const { code, out, err } = await cli(words);
    assert(code === 0 && err === "" && out.includes("Usage: tilewise VERB"));
  }
  for (const { name } of VERBS) {
    const asked = [[name, "--help"], [name, "-h"], ["help", name]];
    for (const words of asked) {
      const { code, out } = await cli(words);
      assert(code === 0 && out.includes(`Usage: tilewise ${name}`));
    }
  }
});

Deno.test("what cannot be understood is one line on stderr and exit code 2", async () => {
  const cases: [string[], string][] = [
    [
      [],
      "no verb was given; write one of info, stats, pick, run, merge, worker, status, cancel, submit, map, convert, predict, image, uvplot, replay, new, view, demo, doctor, completions",
    ],
    [["stat", "a"], 'the verb "stat" is unknown; did you mean stats?'],
    [
      ["frobnicate"],
      "there are info, stats, pick, run, merge, worker, status, cancel, submit, map, convert, predict, image, uvplot, replay, new, view, demo, doctor, completions",
    ],
    [["--json"], 'the flag "--json" comes before the verb'],
    [["info"], "write: tilewise info SOURCE…"],
    [["info", "a", "--nva", "3x3"], "no flag --nva; did you mean --nav?"],
    [["info", "a", "--nav", "axb"], "--nav axb"],
    [["info", "a", "--dtype", "uint15"], "--dtype uint15: Unknown dtype"],
    [["info", "a", "--byte-order", "middle"], 'it must be "little" or "big"'],
    [["info", "a", "--sync-offset", "some"], "--sync-offset some"],
    [["pick", "a", "b", "--at", "1"], "too many arguments"],
    [["run", "sum"], "is missing an argument"],
    [["run", "smu", "a"], 'the UDF "smu" is unknown; did you mean sum?'],
    [["run", "bf:1,2,3,4", "a"], 'bf takes cy, cx, r, but "1,2,3,4" was given'],
    [["run", "zzz", "a"], "there are sum_frames, sum_pixels"],
    [["run", "mask", "a"], "the UDF apply_masks needs file or make; write apply_masks:file=…"],
    [["run", "disk:r=1,cz=3", "a"], 'the UDF disk has no parameter "cz"; it takes cy, cx, r'],
    [["run", "sum:3", "a"], 'sum takes no values, but "3" was given'],
    [["run", "sum", "a", "--memory", "lots"], "--memory lots"],
    [["run", "sum", "a", "--workers", "-1"], "--workers -1"],
  ];
  for (const [words, message] of cases) {
    const { code, out, err } = await cli(words);
    assertEquals([code, out], [2, ""], words.join(" "));
    assert(err.includes(message), `${words.join(" ")}: ${err}`);
    assertEquals(err.trimEnd().split("\n").length, 1);
  }
});

/** A MIB file of one frame header and some samples. */
async function mibFile(path: string, header: string): Promise<void> {
  const bytes = new Uint8Array(4096);
  bytes.set(new TextEncoder().encode(header));
  await Deno.writeFile(path, bytes);
}

Deno.test("bad files are one line on stderr and exit code 1, never a stack", async () => {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/empty.raw`, new Uint8Array(0));
    await Deno.writeFile(`${folder}/seven.raw`, new Uint8Array(7));
    await writeNpy(`${folder}/a.npy`, "|u1", [4, 2, 2], new Uint8Array(16));
    await mibFile(
      `${folder}/huge.mib`,
      "MQ1,000001,00384,01,99999999,99999999,U16,   1x1,01,t,0.1,0,0,0,MQ1A,t,1ns,12,",
    );
    await mibFile(
      `${folder}/quad24.mib`,
      "MQ1,000001,00768,04,2048,0256,R64,   2x2,0F,t,0.1,0,0,0,MQ1A,t,1ns,24,",
    );
    await writeNpy(`${folder}/roi.npy`, "|b1", [3], new Uint8Array(3));
    const raw = ["--dtype", "uint16", "--sig", "2x1"];
    const cases: [string[], string][] = [
      [["info", `${folder}/none.mib`], "not-found"],
      [["info", folder], "not-a-file"],
      [["info", `${folder}/empty.raw`, ...raw], "["],
      [["info", `${folder}/seven.raw`, ...raw], "["],
      [["info", `${folder}/a.npy`, "--format", "dm5"], "dm5"],
      [["pick", `${folder}/a.npy`, "--at", "4"], "the scan is 4"],
      [["pick", `${folder}/a.npy`, "--at", "1,1"], "the scan is 4"],
      [["pick", `${folder}/a.npy`, "--box", "0:1,1:3,0:1"], "the array is 4 × 2 × 2"],
      [["run", "sum", `${folder}/a.npy`, "--roi", "0:5"], "the scan is 4"],
      [["run", "sum", `${folder}/a.npy`, "--roi", `${folder}/roi.npy`], "the scan has 4"],
      [["run", "sum", `${folder}/a.npy`, "--sig", "3x3"], "["],
      [["info", `${folder}/huge.mib`], 'the width in the header at byte 20 is "99999999"'],
      [["info", `${folder}/quad24.mib`], "[unsupported]"],
      [["run", "sum", `${folder}/a.npy`, "--memory", "64"], "over-budget"],
      [["run", "sum", `${folder}/a.npy`, "-o", `${folder}/a.npy/x.npy`], "permission"],
      [["run", "sum", `${folder}/a.npy`, "-o", `${folder}/x.jpg`], "the name must end with one of .npy"],
      [["run", `${folder}/none.ts`, `${folder}/a.npy`], "Cannot import the UDF module"],
      [["run", "sum", `${folder}/a.npy`, "--dark", `${folder}/none.npy`], "not-found"],
      [["run", "sum", `${folder}/a.npy`, "--exclude", "9,9"], "9"],
    ];
    for (const [words, message] of cases) {
      const { code, out, err } = await cli(words);
      assertEquals([code, out], [1, ""], `${words.join(" ")}: ${err}`);
      assert(err.includes(message), `${words.join(" ")}: ${err}`);
      assertEquals(err.trimEnd().split("\n").length, 1);
    }
  });
});

Deno.test("help is as wide as the terminal, with all of its words, and commands in it stay whole", async () => {
  const words = (text: string) => text.split(/\s+/).join(" ");
  for (const asked of [["--help"], ["run", "--help"], ["convert", "--help"], ["help", "map"]]) {
    const [plain, shown] = [(await cli(asked)).out, (await cli(asked, { terminal: true })).out];
    assertEquals(words(shown), words(plain));
    const wide = shown.split("\n").filter((line) =>
      line.length > 72 && !/^ *tilewise |^ {26}\S+ {2}/.test(line)
    );
    assertEquals(wide.filter((line) => !/ {2}\S+$|^\S+$/.test(line)), [], asked.join(" "));
    for (const line of plain.split("\n")) if (/^ *tilewise /.test(line)) assert(shown.includes(line), line);
  }
});

Deno.test("how others write numbers, paths, addresses and tables is answered with how it is written here", async () => {
  await withFolder(async (folder) => {
    const scan = `${folder}/a.npy`, file = (name: string) => `${folder}/${name}`;
    await writeNpy(scan, "|u1", [2, 2, 4, 4], new Uint8Array(64));
    await Deno.writeTextFile(file("sky.csv"), "Name;Ra;Dec;I\na;71,62;-28,65;1,5\n");
    await Deno.writeTextFile(file("mine.ts"), 'export { default } from "./none.ts";\n');
    const cases: [string[], string][] = [
      [["run", "sum", scan, "--memory", "1,5GiB"], "with a point for decimals, as in 1.5GiB"],
      [["run", "bf:r=1,5", scan], "write a number; decimals have a point, as in 1.5"],
      [["map", "gaussian:sigma=1,5", scan, "-o", file("x.npy")], "decimals have a point, as in 1.5"],
      [["info", "ftp://host/a.npy"], "addresses begin with https://, http:// or file://"],
      [["run", "sum", "s3://bucket/a.npy"], "addresses begin with https://, http:// or file://"],
      [["info", `${scan} `], "; its name begins or ends with a space"],
      [["info", "http://127.0.0.1:1/a.npy"], "is the name of the server right, and is there a network?"],
      [
        ["predict", file("sky.csv"), scan, "-o", file("m.zarr")],
        "columns are parted by commas, and decimals",
      ],
      [["replay", folder], "; give the .run.json beside a saved result"],
      [["run", file("mine.ts"), scan], "Cannot import the UDF module"],
      [["--hlep"], "did you mean --help?"],
    ];
    if (Deno.build.os !== "windows") {
      cases.push([["info", "C:\\data\\a.npy"], "a path has / in place of \\, as in /data/a.npy"]);
    }
    const before = [...Deno.readDirSync(folder)].length;
    for (const [words, message] of cases) {
      const { code, out, err } = await cli(words);
      assert(code === 1 || code === 2, `${words.join(" ")}: ${code}`);
      assert(err.includes(message) && out === "", `${words.join(" ")}: ${err}`);
      assert(!err.includes("\\x1b"), err); // colours of a runtime's message
      assertEquals(err.trimEnd().split("\n").length, 1);
    }
    assertEquals([...Deno.readDirSync(folder)].length, before, "nothing is left");
  });
});

Deno.test("a scan with more positions than frames is computed, with a warning on stderr", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/a.npy`, "|u1", [4, 2, 2], new Uint8Array(16).fill(1));
    const words = ["run", "sumsig", `${folder}/a.npy`, "--nav", "2x3", "-o", `${folder}/s.npy`];
    const { code, err } = await cli(words);
    assertEquals(code, 0, err);
    assert(err.startsWith("tilewise: warning: "), err);
    const { json } = await cli(["pick", "--json", `${folder}/s.npy`, "--box", "0:2,0:3"]);
    assertEquals(json()[0]!.values, [[4, 4, 4], [4, "NaN", "NaN"]]);
    assertEquals((await cli([...words, "--quiet"])).err, "");
  });
});
