// Runs a program in a WASI made for browsers, whose files lie in memory: deno run -A --no-lock shim.mjs FILE FOLDER ARGUMENTS…

import { basename, join } from "node:path";
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from "npm:@bjorn3/browser_wasi_shim@0.4.2";

const [file, folder, ...args] = Deno.args;
const name = basename(args[1]);
const numbers = new File(Deno.readFileSync(join(folder, name)), { readonly: true });
const out = new ConsoleStdout((bytes) => Deno.stdout.writeSync(bytes));
const root = new PreopenDirectory("/", new Map([[name, numbers]]));
const wasi = new WASI(["reads", ...args], [], [new OpenFile(new File([])), out, out, root]);
const module = await WebAssembly.compile(Deno.readFileSync(file));
wasi.start(await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport }));
