/** A program of Deno, Node and Bun: runs commands of `tilewise` one after another, and prints what each prints, as JSON. */

import process from "node:process";
import { type CliIo, main } from "@tilewise/tilewise/cli";

const printed: Record<string, string> = {};
const commands: Readonly<Record<string, readonly string[]>> = JSON.parse(process.argv[2]!);
for (const [name, words] of Object.entries(commands)) {
  let out = "", err = "";
  const io: CliIo = {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    outIsTerminal: false,
    errIsTerminal: false,
    colour: false,
    columns: 80,
    signal: new AbortController().signal,
  };
  const code = await main(words, io);
  if (code !== 0) throw new Error(`tilewise ${words.join(" ")} ended with ${code}:\n${out}${err}`);
  printed[name] = out.trim();
}
console.log(JSON.stringify(printed));
process.exit(); // some threads live on
