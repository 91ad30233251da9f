// Runs a program in the WASI of Node: node node_wasi.mjs FILE FOLDER ARGUMENTS…

import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [file, folder, ...args] = process.argv.slice(2);
const wasi = new WASI({
  version: "preview1",
  args: ["reads", ...args],
  env: {},
  preopens: { "/": folder },
  returnOnExit: true,
});
const { instance } = await WebAssembly.instantiate(readFileSync(file), wasi.getImportObject());
process.exitCode = wasi.start(instance);
