/** Every command of the table in docs/command_line.md runs with exactly the permissions it names, the first of a row as its own process. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { VERBS } from "../../../src/cli/main.ts";
import { renewedPage } from "../../../web/build.ts";
import { writeObservation } from "../../observations/expected.ts";
import { cli, cliChild, withFolder, writeNpy } from "../harness.ts";

const ROOT = decodeURIComponent(new URL("../../../", import.meta.url).pathname).replace(/\/$/, "");
const PAGE = Deno.readTextFileSync(`${ROOT}/docs/command_line.md`);

const MINE = `export default {
  name: "mine",
  buffers: { most: { kind: "nav", dtype: "float32" } },
  processFrame({ data }, { most }) { most[0] = Math.max(...data); },
};
`;

interface Row {
  readonly commands: readonly string[];
  readonly flags: readonly string[];
}

/** The rows of the table of permissions. */
function rows(): Row[] {
  const [, section] = /^## Permissions\n([\s\S]*?)^## /m.exec(PAGE)!;
  const lines = [...section!.matchAll(/^\| (`.*?) +\| (.*?) +\|$/gm)];
  const texts = (cell: string) => [...cell.matchAll(/`([^`]*)`/g)].map(([, text]) => text!);
  return lines.map(([, commands, flags]) => ({
    commands: texts(commands!),
    flags: texts(flags!).flatMap((text) => text.split(" ")),
  }));
}

/** A small MIB series, a module, a server of an array; all that the commands of the table need. */
async function withPlace(body: (folder: string, host: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await cli(["demo", "--scan", "12x16", "--side", "64", "--quiet", "--workers", "0", "-o", `${folder}/x`]);
    for (const { name } of Deno.readDirSync(`${folder}/x`)) {
      if (/^scan/.test(name)) await Deno.rename(`${folder}/x/${name}`, `${folder}/${name}`);
    }
    await Deno.rename(`${folder}/scan_000.mib`, `${folder}/scan.mib`);
    await Deno.writeTextFile(`${folder}/mine.ts`, MINE);
    await writeNpy(`${folder}/scan.npy`, "|u1", [3, 4, 4], new Uint8Array(48));
    await writeObservation(folder);
    const npy = await Deno.readFile(`${folder}/scan.npy`);
    const server = Deno.serve(
      { port: 0, hostname: "localhost", onListen: () => {} },
      (request) => answer(request, npy),
    );
    try {
      await body(folder, `localhost:${server.addr.port}`);
    } finally {
      await server.shutdown();
    }
  });
}

function answer({ headers }: Request, bytes: Uint8Array<ArrayBuffer>): Response {
  const [, first, last] = /bytes=(\d+)-(\d+)/.exec(headers.get("range") ?? "") ?? [];
  if (first === undefined) return new Response(bytes, { headers: { "accept-ranges": "bytes" } });
  const part = bytes.slice(Number(first), Number(last) + 1);
  const range = `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}`;
  return new Response(part, { status: 206, headers: { "content-range": range } });
}

/** Flags that make the work of a command small: its permissions do not depend on them. */
const SMALL: Readonly<Record<string, readonly string[]>> = {
  demo: ["--scan", "8x8", "--side", "64"],
  image: ["--pixels", "64"],
};

/** The words of a command that does small work. */
function wordsOf(command: string): string[] {
  const words = command.split(" ");
  return [...words, ...SMALL[words[0]!] ?? []];
}

/** What a command does in a process of its own, in `folder`. */
async function inProcess(folder: string, flags: readonly string[], command: string) {
  const words = wordsOf(command);
  const process = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", "--no-check", ...flags],
      ...[`${ROOT}/src/cli/main.ts`, ...words],
    ],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const [out, err] = await Promise.all([
    textOf(process.stdout, () => words[0] === "view" && process.kill("SIGINT")), // it runs until it is ended
    textOf(process.stderr),
  ]);
  return { code: (await process.status).code, out, err };
}

/** All text of a stream; `heard` is called when some has come. */
async function textOf(stream: ReadableStream<Uint8Array>, heard = () => {}): Promise<string> {
  let text = "";
  for await (
    const part of stream.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
  ) {
    text += part;
    heard();
  }
  return text;
}

Deno.test("every command of the table runs with the permissions beside it, the first of a row not with one fewer", async () => {
  await renewedPage();
  await withPlace(async (folder, host) => {
    for (const { commands, flags } of rows()) {
      const filled = (text: string) => text.replaceAll("HOST", host).replaceAll("CHECKOUT", ROOT);
      const permissions = flags.map(filled);
      assert(commands.length > 0 && permissions.length > 0);
      const [command, ...others] = commands.map(filled);
      for (const missing of permissions) {
        const fewer = permissions.filter((flag) => flag !== missing);
        const { code, err } = await inProcess(folder, fewer, command!);
        assertEquals(code, 1, `${command} without ${missing}: ${err}`);
        assertMatch(err, /^(tilewise: .*\n)*tilewise: \[permission\] .*--allow-\w+=.*\n$/, command);
      }
      const outcomes = [await inProcess(folder, permissions, command!)];
      if (others.length > 0) outcomes.push(...await cliChild(folder, permissions, others.map(wordsOf)));
      for (const [i, { code, err }] of outcomes.entries()) {
        assertEquals(code, 0, `${commands[i]} with ${permissions.join(" ")}: ${err}`);
        assert(!/Uncaught|NotCapable|\n\s+at /.test(err), err);
      }
    }
  });
});

/** Verbs that do nothing without an engine; docs/cluster.md has their permissions, tests/cluster/faults runs them. */
const OF_ENGINES = ["cancel", "status", "worker"];

Deno.test("the table of permissions has every verb", () => {
  const named = rows().flatMap(({ commands }) => commands.map((command) => command.split(" ")[0]));
  const all = VERBS.map(({ name }) => name).filter((name) => !OF_ENGINES.includes(name));
  assertEquals([...new Set(named)].toSorted(), all.toSorted());
});

Deno.test("help and version need no permission at all", async () => {
  const commands = ["--version", "--help", "help run bf", ...VERBS.map(({ name }) => `${name} --help`)];
  await withFolder(async (folder) => {
    const found = await cliChild(folder, [], commands.map((command) => command.split(" ")));
    for (const [i, { code, out, err }] of found.entries()) {
      assertEquals([code, err, out.length > 0], [0, "", true], commands[i]);
    }
    const { code, out, err } = await inProcess(folder, [], "run --help");
    assertEquals([code, err, out.length > 0], [0, "", true]);
  });
});

Deno.test("a permission that is missing is an error object with --json", async () => {
  await withPlace(async (folder) => {
    const commands = ["info scan.mib", "stats scan.mib", "pick scan.mib --at 0,0", "run sum scan.mib"];
    const found = await cliChild(folder, [], commands.map((command) => [...command.split(" "), "--json"]));
    for (const { code, out } of found) {
      const { source, error } = JSON.parse(out);
      assertEquals([code, source, error.code], [1, "scan.mib", "permission"]);
      assertEquals(error.message, "Cannot read scan.mib: Deno may not do this; add --allow-read=scan.mib");
    }
  });
});

Deno.test("every file that a flag or a parameter names is refused by name where it may not be read", async () => {
  await withPlace(async (folder) => {
    await Deno.writeFile(`${folder}/m.npz`, new Uint8Array(4));
    await Deno.mkdir(`${folder}/only`);
    await Deno.rename(`${folder}/scan.npy`, `${folder}/only/scan.npy`);
    const words = [
      "run sum only/scan.npy --dark m.npy",
      "run sum only/scan.npy --roi m.npy",
      "run sum only/scan.npy --exclude m.npy",
      "run mask:file=m.npz only/scan.npy",
      "run mask:file=m.npy only/scan.npy",
      "run ./mine.ts only/scan.npy",
      "run map:./mine.ts only/scan.npy",
      "run expr:x*g;g=@m.npy only/scan.npy",
    ];
    const found = await cliChild(folder, ["--allow-read=only"], words.map((command) => command.split(" ")));
    for (const [i, { code, out, err }] of found.entries()) {
      assertEquals([code, out], [1, ""], words[i]);
      assertMatch(err, /^tilewise: \[permission\] .*add --allow-read=\S*(m\.np[yz]|mine\.ts)\n$/, words[i]);
    }
  });
});

Deno.test("a file whose folder may not be read has no other shape: that is an error, unless it is wanted alone", async () => {
  await withPlace(async (folder) => {
    const refused = await inProcess(folder, ["--allow-read=scan.mib"], "stats scan.mib");
    assertEquals([refused.code, refused.out], [1, ""]);
    assertMatch(
      refused.err,
      /\[permission\] The folder . may not be read, .* add --allow-read=\..*--no-series/,
    );
    const words = "stats scan.mib --no-series --json";
    const { code, out, err } = await inProcess(folder, ["--allow-read=scan.mib"], words);
    assertEquals([code, JSON.parse(out).navShape], [0, [48]]);
    assertMatch(err, /warning: scan.mib: The folder . may not be read, .* add --allow-read=\.$/m);
    const alone = await inProcess(folder, ["--allow-read=scan.npy"], "stats scan.npy --json");
    assertEquals([alone.code, alone.err], [0, ""]);
  });
});

Deno.test("a run that would use threads falls back to one where their code may not be read, and says so", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/big.npy`, "|u1", [8, 8, 320, 320], new Uint8Array(64 * 320 * 320).fill(1));
    const flags = ["--allow-read=.", "--allow-write=."];
    const { code, err } = await inProcess(folder, flags, "run sumsig big.npy -o one.npy");
    assertEquals(code, 0, err);
    assertMatch(
      err,
      /warning: computing on one thread, as workers may not read .*src; add --allow-read=.*src$/m,
    );
    const threads = await inProcess(
      folder,
      [`--allow-read=.,${ROOT}/src`, flags[1]!],
      "run sumsig big.npy -o two.npy",
    );
    assertEquals(threads.code, 0, threads.err);
    assert(!threads.err.includes("warning"), threads.err);
    assertEquals(await Deno.readFile(`${folder}/one.npy`), await Deno.readFile(`${folder}/two.npy`));
  });
});

Deno.test("a dry run accepts a folder to be made where nothing else may be looked at, as the run does", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/scan.npy`, "|u1", [3, 4, 4], new Uint8Array(48));
    const flags = ["--allow-read=scan.npy,out/new", "--allow-write=out/new"];
    await Deno.mkdir(`${folder}/out`);
    for (const last of ["--dry-run", "--quiet"]) {
      const { code, err } = await inProcess(
        folder,
        flags,
        `run sum scan.npy -o out/new/sum.npy --workers 0 ${last}`,
      );
      assertEquals([code, err], [0, ""], last);
    }
  });
});
