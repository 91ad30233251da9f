/**
 * The command line, which says in the end how much memory its process has held at most: `measured.ts FILE WORDS…`.
 *
 * @module
 */

import { exitProcess, hostIo } from "../../../src/cli/shell/host.ts";
import { main } from "../../../src/cli/main.ts";

const [file, ...words] = Deno.args;
const code = await main(words, hostIo());
const [, kib] = /^VmHWM:\s*(\d+) kB$/m.exec(Deno.readTextFileSync("/proc/self/status"))!;
Deno.writeTextFileSync(file!, String(Number(kib) * 1024));
exitProcess(code);
