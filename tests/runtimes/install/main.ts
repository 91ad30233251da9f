/**
 * Each line that installs, from an empty folder and an empty cache to the last line of the demo: `deno task installs [--only TEXT]`.
 * Prints a table of seconds, megabytes and files; `--write` puts it into `docs/runtimes.md`.
 *
 * What a line gets is in three folders of its own: where somebody works, the cache, and a home. The demo's own files are not
 * counted. JSR is one on this machine, with what would be published.
 *
 * @module
 */

import { delimiter } from "node:path";
import { dirname, fromFileUrl, join } from "@std/path";
import config from "../../../deno.json" with { type: "json" };
import { compile, systemHere } from "../../../assembly/compile.ts";
import { pack } from "../../../assembly/pack/main.ts";
import { mustBeOneOf, task } from "../../../assembly/task.ts";
import { type Tool, toolPath } from "../../../assembly/tools.ts";
import { serveJsr } from "./registry.ts";

const ROOT = fromFileUrl(new URL("../../../", import.meta.url));
const PAGE = join(ROOT, "docs/runtimes.md");

/** What is there before anybody installs: made once, for all lines. */
interface Given {
  readonly tarball: string;
  readonly program: string;
  readonly jsr: string;
}

/** A way to get it. */
interface Way {
  /** What somebody has. */
  readonly with: string;
  /** The commands, as people type them. */
  readonly lines: readonly string[];
  /** Where their programs are, in front of `PATH`. */
  readonly runtime?: Tool;
}

const NPM = ["npm init -y", "npm install ./tilewise.tgz", "npx tilewise demo"];

const WAYS: readonly Way[] = [
  {
    with: `Deno ${Deno.version.deno}, a checkout`,
    lines: [
      "git clone --quiet --depth 1 $CHECKOUT tilewise",
      "cd tilewise && deno run -A src/cli/main.ts demo",
    ],
  },
  {
    with: `Deno ${Deno.version.deno}, JSR`,
    lines: [
      "deno install --quiet --global --root . -n tilewise --allow-read --allow-write --allow-env jsr:@tilewise/tilewise/cli",
      "bin/tilewise demo",
    ],
  },
  { with: "Node 20", lines: NPM, runtime: "node20" },
  { with: "Node 22", lines: NPM, runtime: "node22" },
  { with: "Node 24", lines: NPM, runtime: "node" },
  { with: "Bun 1.4", lines: ["bun add ./tilewise.tgz", "bun --bun run tilewise demo"], runtime: "bun" },
  { with: "nothing: one file", lines: ["./tilewise demo"] },
];

/** What came of it. */
interface Row {
  readonly with: string;
  readonly seconds: number;
  readonly bytes: number;
  readonly files: number;
}

/** Installs in an empty folder; throws unless the demo says its last line. */
async function installed(way: Way, given: Given): Promise<Row> {
  const place = await Deno.makeTempDir({ prefix: "tilewise-install-" });
  try {
    const cache = join(place, "cache"), folder = join(place, "empty");
    await Deno.mkdir(folder);
    const isOne = way.lines[0]!.startsWith("./");
    if (isOne) await Deno.copyFile(given.program, join(folder, "tilewise"));
    else if (way.runtime) await Deno.copyFile(given.tarball, join(folder, "tilewise.tgz"));
    const front = way.runtime ? [dirname(await toolPath(way.runtime))] : [];
    const env = {
      PATH: [...front, Deno.env.get("PATH")].join(delimiter),
      CHECKOUT: `file://${ROOT}`,
      DENO_DIR: cache,
      npm_config_cache: cache,
      BUN_INSTALL_CACHE_DIR: cache,
      JSR_URL: given.jsr,
      NO_COLOR: "1",
    };
    const start = performance.now();
    const out = await shell(way.lines, folder, env);
    const seconds = (performance.now() - start) / 1000;
    const last = out.trimEnd().split("\n").at(-1)!;
    if (!/^ +(deno task )?tilewise view demo-output\/scan\.hdr$/.test(last)) {
      throw new Error(`${way.with}:\n${out}`);
    }
    const { bytes, files } = await sizeOf(place);
    const carried = way.runtime ? (await Deno.stat(given.tarball)).size : 0; // it was copied, not installed
    return { with: way.with, seconds, bytes: bytes - carried, files: files - Number(carried > 0) };
  } finally {
    await Deno.remove(place, { recursive: true });
  }
}

/** What commands print, one after another. */
async function shell(
  lines: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const args = ["-ec", lines.join("\n")];
  const { success, stdout, stderr } = await new Deno.Command("sh", { args, cwd, env }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!success) throw new Error(`${lines.join("\n")}\n${out}${err}`);
  return out!;
}

/** What lies in a folder, but for what the demo has made. */
async function sizeOf(folder: string): Promise<{ bytes: number; files: number }> {
  let bytes = 0, files = 0;
  for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isFile) {
      bytes += (await Deno.stat(path)).size;
      files++;
    } else if (isDirectory && name !== "demo-output" && name !== ".git") {
      const inside = await sizeOf(path);
      bytes += inside.bytes;
      files += inside.files;
    }
  }
  return { bytes, files };
}

function table(rows: readonly Row[]): string {
  const cells = rows.map(({ with: has, seconds, bytes, files }) => {
    const lines = WAYS.find((way) => way.with === has)!.lines.map((line) => `\`${line}\``).join("<br>");
    return `| ${has} | ${lines} | ${seconds.toFixed(1)} | ${(bytes / 1e6).toFixed(1)} | ${files} |`;
  });
  const head = "| you have | you type | seconds | MB | files |";
  return [head, "| --- | --- | --: | --: | --: |", ...cells].join("\n");
}

if (import.meta.main) {
  const flags = { only: { type: "string", default: "" }, write: { type: "boolean" } } as const;
  await task("installs", flags, async ({ only, write }) => {
    const ways = WAYS.filter((way) => way.with.includes(only));
    if (ways.length === 0) mustBeOneOf("line for", [only], WAYS.map((way) => way.with));
    const place = await Deno.makeTempDir({ prefix: "tilewise-given-" });
    try {
      const tarball = join(place, `tilewise-${config.version}.tgz`);
      await Deno.writeFile(tarball, await pack());
      const [program] = await compile([systemHere()], place);
      await using registry = await serveJsr();
      const rows: Row[] = [];
      for (const way of ways) {
        rows.push(await installed(way, { tarball, program: program!, jsr: registry.url }));
        console.log(table(rows.slice(-1)).split("\n").at(-1));
      }
      if (write) await writeTable(table(rows));
    } finally {
      await Deno.remove(place, { recursive: true });
    }
  });
}

/** Puts the table where the page has it now. */
async function writeTable(rows: string): Promise<void> {
  const text = await Deno.readTextFile(PAGE);
  const written = text.replace(/^\| you have +\| you type[\s\S]*?(?=\n\n)/m, () => rows);
  if (!written.includes(rows)) throw new Error(`${PAGE} has no table "you have | you type"`);
  await Deno.writeTextFile(PAGE, written);
}
