/** A program does the same with files as natively, and as with the WASI of Node: random operations, and classical uses of C. */

import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { has, programFile, ROUTES, type Side, textOf, treeOf, withSide } from "./wasi_side.ts";

const HAS_CLANG = has("clang"), HAS_NODE = has("node"), HAS_RUST = has("rustc");
if (!HAS_CLANG) console.warn("clang is missing: programs are not compared with native ones");
if (!HAS_RUST) console.warn("rustc is missing: the program in Rust is not compared with its native one");
if (!HAS_NODE) console.warn("node is missing: programs are not compared with those in Node");

/** Plain names, which the WASI of Node resolves as POSIX does. */
const PLAIN = "12";

/** A program compiled for this machine. */
async function native(source: string, folder: string): Promise<string> {
  const out = join(folder, "native");
  const [command, ...flags] = source.endsWith(".rs")
    ? ["rustc", "--edition", "2021"]
    : ["clang", "-O1", "-w"];
  const { success, stderr } = await new Deno.Command(command!, {
    args: [...flags, programFile(source), "-o", out],
  }).output();
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

/** Runs `body` by each route, with a program compiled for this machine. */
async function besideNative(
  source: string,
  body: (side: Side, oracle: Oracle, route: "rpc" | "direct") => Promise<void>,
) {
  const folder = await Deno.makeTempDir();
  try {
    const oracle = natively(await native(source, folder));
    for (const [i, route] of ROUTES.entries()) {
      await withSide((side) => body(side, oracle, route), { elementSize: [8, 3][i]! });
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test({
  name: "random operations do what they do natively, by both routes",
  ignore: !HAS_CLANG,
  fn: () =>
    besideNative("ops.c", async (side, oracle, route) => {
      for (let seed = 0; seed < 10; seed++) await compare(side, oracle, "ops", [`${seed}`, "300"], route);
    }),
});

Deno.test({
  name: "classical uses of files do what they do natively, by both routes",
  ignore: !HAS_CLANG,
  fn: () => besideNative("classic.c", (side, oracle, route) => compare(side, oracle, "classic", [], route)),
});

Deno.test({
  name: "a program in Rust does what it does natively, by both routes",
  ignore: !HAS_RUST,
  fn: () =>
    besideNative("shelves.rs", async (side, oracle, route) => {
      for (let seed = 0; seed < 3; seed++) await compare(side, oracle, "shelves", [`${seed}`, "300"], route);
    }),
});

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
