/** Two programs that write to one output at the same time: each time one set is there, whole, of one of them. */

import { assertEquals } from "@std/assert";
import { NAMES } from "./racer.ts";

/** Rounds of each way. */
const ROUNDS = 100;

/** A program that waits for rounds. */
class Racer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #output: ReadableStreamDefaultReader<string>;

  constructor(folder: string, letter: string) {
    const module = new URL("./racer.ts", import.meta.url).pathname;
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", module, folder, letter],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#output = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** The next line that it says. */
  async said(): Promise<string> {
    let text = "";
    while (!text.endsWith("\n")) {
      const { value, done } = await this.#output.read();
      if (done) return "it has ended";
      text += value;
    }
    return text.trim();
  }

  async race(way: string): Promise<string> {
    await this.#input.write(new TextEncoder().encode(`${way}\n`));
    return await this.said();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close();
    await this.#child.status;
    await this.#output.cancel();
  }
}

for (const [way, names] of [["files", NAMES], ["tree", ["array.zarr/chunk", ...NAMES.slice(1)]]] as const) {
  Deno.test(`two programs that write ${way} to one output leave one set, whole, in ${ROUNDS} rounds`, async () => {
    const folder = await Deno.makeTempDir();
    {
      await using first = new Racer(folder, "a");
      await using second = new Racer(folder, "b");
      assertEquals(await Promise.all([first.said(), second.said()]), ["ready", "ready"]);
      const winners = new Set<string>();
      for (let round = 0; round < ROUNDS; round++) {
        const said = await Promise.all([first.race(way), second.race(way)]);
        assertEquals(said, ["done", "done"], `round ${round}`);
        const found = new Set(names.map((name) => Deno.readTextFileSync(`${folder}/${name}`)));
        assertEquals(found.size, 1, `round ${round}: ${[...found]}`);
        winners.add([...found].join());
      }
      assertEquals([...winners].sort(), ["a", "b"], "both have been last");
    }
    const left = [...Deno.readDirSync(folder)].map(({ name }) => name);
    assertEquals(left.filter((name) => name.startsWith(".")), []);
    await Deno.remove(folder, { recursive: true });
  });
}
