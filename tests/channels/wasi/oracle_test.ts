/** A program does the same with files as natively, and as with the WASI of Node: random operations, and classical uses of C. */

import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { has, programFile, ROUTES, type Side, textOf, treeOf, withSide } from "./wasi_side.ts";

const HAS_CLANG = has("clang"), HAS_NODE = has("node");
if (!HAS_CLANG) console.warn("clang is missing: programs are not compared with native ones");
if (!HAS_NODE) console.warn("node is missing: programs are not compared with those in Node");

/** Plain names, which the WASI of Node resolves as POSIX does. */
const PLAIN = "12";

/** A program compiled for this machine. */
async function native(name: string, folder: string): Promise<string> {
  const out = join(folder, name);
  const args = ["-O1", "-w", programFile(`${name}.c`), "-o", out];
  const { success, stderr } = await new Deno.Command("clang", { args }).output();
  if (!success) throw new Error(textOf(stderr));
  return out;
}

type Oracle = (folder: string, args: readonly string[]) => Promise<{ code: number; stdout: Uint8Array }>;

const NODE = `
import { WASI } from "node:wasi";
import { readFileSync } from "node:fs";
const [file, folder, ...args] = process.argv.slice(1);
const wasi = new WASI({ version: "preview1", args, env: {}, preopens: { "/": folder }, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(readFileSync(file), wasi.getImportObject());
process.exitCode = wasi.start(instance);`;

const inNode = (program: string): Oracle => async (folder, args) => {
  const line = [
    "--no-warnings",
    "--input-type=module",
    "-e",
    NODE,
    programFile(`${program}.wasm`),
    folder,
    program,
    ...args,
  ];
  return await new Deno.Command("node", { args: line }).output();
};

const natively = (file: string): Oracle => (folder, args) =>
  new Deno.Command(file, { args: [...args], cwd: folder }).output();

/** Runs a program here and there, each in an empty folder: outputs, exit codes and folders must be equal. */
async function compare(
  side: Side,
  oracle: Oracle,
  program: string,
  args: readonly string[],
  route: "rpc" | "direct",
) {
  const there = await Deno.makeTempDir();
  try {
    for (const { name } of Deno.readDirSync(side.folder)) {
      Deno.removeSync(join(side.folder, name), { recursive: true });
    }
    const expected = await oracle(there, args);
    const found = await side.run(program, args, { route });
    assertEquals(textOf(found.stdout), textOf(expected.stdout), `${program} ${args.join(" ")}`);
    assertEquals(found.code, expected.code);
    assertEquals(treeOf(side.folder), treeOf(there), `${program} ${args.join(" ")}`);
  } finally {
    await Deno.remove(there, { recursive: true });
  }
}

for (const route of ROUTES) {
  Deno.test({
    name: `${route}: random operations do what they do natively`,
    ignore: !HAS_CLANG,
    fn: () =>
      withSide(async (side) => {
        const folder = await Deno.makeTempDir();
        const oracle = natively(await native("ops", folder));
        for (let seed = 0; seed < 12; seed++) await compare(side, oracle, "ops", [`${seed}`, "300"], route);
        await Deno.remove(folder, { recursive: true });
      }, route === "rpc" ? 8 : 3),
  });

  Deno.test({
    name: `${route}: classical uses of files do what they do natively`,
    ignore: !HAS_CLANG,
    fn: () =>
      withSide(async (side) => {
        const folder = await Deno.makeTempDir();
        await compare(side, natively(await native("classic", folder)), "classic", [], route);
        await Deno.remove(folder, { recursive: true });
      }),
  });
}

Deno.test({
  name: "random operations do what they do in Node",
  ignore: !HAS_NODE,
  fn: () =>
    withSide(async (side) => {
      const oracle = inNode("ops");
      for (let seed = 100; seed < 104; seed++) {
        await compare(side, oracle, "ops", [`${seed}`, "300", PLAIN], "rpc");
      }
    }),
});
