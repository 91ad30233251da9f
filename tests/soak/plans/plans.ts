/**
 * Plans of absurd claims: each is made or refused by a typed error, in bounded memory, without end of the engine.
 *
 * @module
 */

/** How a claim ended, and what that took. */
export interface Measured {
  /** `planned`, the code of the error, or `untyped` for an error of another class. */
  readonly end: string;
  /** The message of the error. */
  readonly message: string;
  /** How long it took. */
  readonly milliseconds: number;
  /** Most memory beyond that before, as far as the system tells. */
  readonly bytes: number;
}

/** A claim, and how it ended. */
export interface Attempt extends Measured {
  /** Its number: `claimOf(seed)` makes it again. */
  readonly seed: number;
  /** The claim in words. */
  readonly name: string;
  /** The memory of its context. */
  readonly budget: number;
}

/** What a plan may hold beyond its budget. */
export const SPARE_BYTES = 64 * 2 ** 20;

/** What the engine takes for itself, as the system counts it: code, and garbage that it has not looked at yet. */
const ENGINE_BYTES = 16 * 2 ** 20;

/** Milliseconds after which a claim counts as hung. Other tests run beside it. */
const PATIENCE = 30_000;

/** What was wrong with some of `runs` claims from `seed` on; empty: nothing. */
export async function absurdPlans(seed: number, runs: number): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const attempt of attempts(seed, runs)) {
    const problem = problemOf(attempt);
    if (problem) found.push(`claim ${attempt.seed} (${attempt.name}; ${attempt.budget} bytes): ${problem}`);
  }
  return found;
}

function problemOf({ end, message, bytes, budget }: Attempt): string | undefined {
  if (end === "lost") return message;
  if (end === "untyped") return `it ended with an error of another class: ${message}`;
  if (end === "udf" && /memory|allocat|array length|stack/i.test(message)) return message;
  if (bytes > budget + SPARE_BYTES + ENGINE_BYTES) return `it took ${bytes} bytes`;
  return undefined;
}

/** The claims, one by one; a process that is lost or hangs is replaced by another. */
export async function* attempts(seed: number, runs: number): AsyncGenerator<Attempt> {
  for (let next = seed; next < seed + runs;) {
    for await (const attempt of attemptsOfProcess(next, seed + runs)) {
      next = attempt.seed + 1;
      yield attempt;
    }
  }
}

type Begun = Pick<Attempt, "seed" | "name" | "budget">;

async function* attemptsOfProcess(first: number, stop: number): AsyncGenerator<Attempt> {
  const args = ["run", "-A", "--quiet", "--v8-flags=--expose-gc,--max-old-space-size=2048"];
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args, new URL("./plan_child.ts", import.meta.url).href, String(first), String(stop)],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  let begun: Begun = { seed: first, name: "the start", budget: 0 };
  let hung = false;
  const watch = () =>
    setTimeout(() => {
      hung = true;
      child.kill("SIGKILL");
    }, PATIENCE);
  let timer = watch();
  for await (const line of linesOf(child.stdout)) {
    clearTimeout(timer);
    timer = watch();
    const fact = JSON.parse(line) as Begun | Measured;
    if ("end" in fact) yield { ...begun, ...fact };
    else begun = fact;
  }
  clearTimeout(timer);
  const { code } = await child.status;
  if (code === 0) return;
  const message = hung ? `it took more than ${PATIENCE} ms` : `the process ended with code ${code}`;
  yield { ...begun, end: "lost", message, milliseconds: PATIENCE, bytes: 0 };
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}
