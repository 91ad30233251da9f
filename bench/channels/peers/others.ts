/**
 * The peers: the program compiled for this machine, the WASI of Node, a WASI in JavaScript, and Emscripten.
 *
 * @module
 */

import { tmpdir } from "node:os";
import { join } from "@std/path";
import { commandPeer, has, here, type MakePeer, NUMBERS, type Work } from "./peer.ts";

/** The program on the operating system: what there is to be had. */
export const native: MakePeer = async (folder) => {
  if (!await has("clang")) return { skipped: "clang is missing" };
  const out = join(folder, "reads");
  await command("clang", ["-O2", "-o", out, here("reads.c")]);
  return commandPeer("native", out, ({ work, count }) => [work, NUMBERS, `${count}`], folder);
};

/** `node:wasi`. */
export const node: MakePeer = async (folder) => {
  if (!await has("node")) return { skipped: "node is missing" };
  const args = ["--no-warnings", here("node_wasi.mjs"), here("reads.wasm"), folder];
  return commandPeer(
    "node:wasi",
    "node",
    ({ work, count }) => [...args, work, `/${NUMBERS}`, `${count}`],
    folder,
  );
};

/** A package for browsers. It has files in memory only, so what it reads is copied to its memory before. */
export const shim: MakePeer = (folder) => {
  const args = [
    "run",
    "-A",
    "--no-lock",
    "--no-config",
    "--quiet",
    here("shim.mjs"),
    here("reads.wasm"),
    folder,
  ];
  const line = ({ work, count }: Work) => [...args, work, `/${NUMBERS}`, `${count}`];
  return Promise.resolve(commandPeer("browser_wasi_shim, files in memory", Deno.execPath(), line, folder));
};

/** Emscripten with its older file system: the program runs on a thread, and the main thread answers its calls. */
export const emscripten: MakePeer = (folder) => compiled(folder, "Emscripten, calls of a thread proxied", []);

/** Emscripten with WASMFS, whose files in memory all threads use. */
export const wasmfs: MakePeer = (folder) =>
  compiled(folder, "Emscripten WASMFS, files in memory", ["-sWASMFS"]);

/** Programs of Emscripten make the same file in their own memory. */
async function compiled(folder: string, name: string, flags: readonly string[]): ReturnType<MakePeer> {
  if (!await has("emcc")) return { skipped: "emcc is missing (Debian: apt install emscripten)" };
  const out = join(folder, `reads${flags.join("")}.js`);
  const threads = ["-pthread", "-sPROXY_TO_PTHREAD", "-sEXIT_RUNTIME", "-sINITIAL_MEMORY=67108864"];
  try {
    await command("emcc", ["-O2", ...threads, ...flags, "-o", out, here("reads.c")], {
      EM_CACHE: join(tmpdir(), "tilewise-emscripten"), // Debian's own cache has no libraries for threads
      EM_FROZEN_CACHE: "",
    });
  } catch (error) {
    return { skipped: `emcc cannot compile it: ${(error as Error).message.split("\n").at(-1)}` };
  }
  return commandPeer(
    name,
    "node",
    ({ work, count }) => ["--no-experimental-fetch", out, work, `/${NUMBERS}`, `${count}`],
    folder,
  );
}

/** Runs a compiler. Throws what it says when it fails. */
async function command(name: string, args: string[], env: Record<string, string> = {}): Promise<void> {
  const { success, stderr } = await new Deno.Command(name, { args, env }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr).trim());
}
