/**
 * The program as one file, on a machine that has nothing else: in an empty folder, without variables of the environment, it computes
 * on threads, compiles kernels, and shows the page. A part of `deno task test:long`, as it fetches runtimes of all systems.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { compile, systemHere, TARGETS } from "../../assembly/compile.ts";
import { withFolder } from "../cli/harness.ts";
import { succeeds } from "../installed.ts";

/** How files of each system begin: ELF, Mach-O, and MZ; and the processor that a header names. */
const HEADS: Readonly<Record<string, (bytes: DataView) => unknown>> = {
  linux: (bytes) => [bytes.getUint32(0), bytes.getUint16(18, true)],
  macos: (bytes) => [bytes.getUint32(0), bytes.getUint32(4, true)],
  windows: (bytes) => [bytes.getUint16(0), bytes.getUint16(bytes.getUint32(60, true) + 4, true)],
};

const KINDS: Readonly<Record<string, readonly number[]>> = {
  "linux-x64": [0x7f454c46, 62],
  "linux-arm64": [0x7f454c46, 183],
  "macos-x64": [0xcffaedfe, 0x01000007],
  "macos-arm64": [0xcffaedfe, 0x0100000c],
  "windows-x64": [0x4d5a, 0x8664],
  "windows-arm64": [0x4d5a, 0xaa64],
};

/** A kernel in AssemblyScript, which the program compiles. */
const KERNEL = await Deno.readTextFile(new URL("../runtimes/programs/own_plane.as.ts", import.meta.url));

const HAS_NPM = succeeds("npm", "--version");

Deno.test({
  name: HAS_NPM
    ? "one file is enough, for each system, and this one's computes"
    : "one file: there is no npm",
  ignore: !HAS_NPM,
  fn: () =>
    withFolder(async (folder) => {
      const paths = await compile(Object.keys(TARGETS), `${folder}/made`);
      for (const [i, name] of Object.keys(TARGETS).entries()) {
        using file = await Deno.open(paths[i]!);
        const head = new Uint8Array(4096);
        await file.read(head);
        assertEquals(HEADS[name.split("-")[0]!]!(new DataView(head.buffer)), KINDS[name], name);
      }
      const program = paths[Object.keys(TARGETS).indexOf(systemHere())]!;
      await Deno.mkdir(`${folder}/empty`);
      await Deno.writeTextFile(`${folder}/empty/.env`, "NO_SUCH=1\n");
      const said = async (...args: string[]) => {
        const options = { args, cwd: `${folder}/empty`, clearEnv: true };
        const { code, stdout, stderr } = await new Deno.Command(program, options).output();
        const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
        assertEquals(code, 0, `tilewise ${args.join(" ")}\n${out}${err}`);
        return out!;
      };
      const doctor = await said("doctor");
      assertMatch(doctor, /✓ worker .*added up 64 frames/);
      assertMatch(doctor, /✓ assemblyscript\/asc .*there\n/);
      await said("demo", "--scan", "24x24", "--side", "64", "-o", "demo");
      assertMatch(await said("info", "demo/scan.hdr"), /24 × 24 scan of 64 × 64 frames/);
      await said("run", "sum", "com", "demo/scan.hdr", "--workers", "2", "-o", "out/");
      assertEquals(
        await Deno.readFile(`${folder}/empty/out/sum.npy`),
        await Deno.readFile(`${folder}/empty/demo/sum.npy`),
      );
      await Deno.writeTextFile(`${folder}/empty/own.as.ts`, KERNEL);
      await said("map", "./own.as.ts:radius=1", "out/sum.npy", "-o", "own.npy", "--workers", "2");
      await showsPage(program, `${folder}/empty`);
    }),
});

/** The page is inside, and is served until Ctrl-C. */
async function showsPage(program: string, cwd: string): Promise<void> {
  const args = ["view", "out/sum.npy", "--json"];
  const options = { args, cwd, clearEnv: true, stdout: "piped", stderr: "null" } as const;
  await using view = new Deno.Command(program, options).spawn();
  const reader = view.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await reader.read();
  const page = await (await fetch(new URL(JSON.parse(value!)["url"]).origin)).text();
  assert(page.includes("tilewise-served"));
  view.kill("SIGINT");
  await reader.cancel();
  assertEquals((await view.status).code, 0);
}
