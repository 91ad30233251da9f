/**
 * A model column of a Measurement Set whose writer is killed at random moments, with casacore as the judge:
 * `deno run -A tests/compare/columns/main.ts --python PYTHON --count 50 --seed 1`, with a Python that has python-casacore.
 *
 * After each kill the set is the old one or the new one, all other files and columns are as they were, and sums by TaQL are those
 * of the samples that NumPy adds up.
 *
 * @module
 */

import { fromFileUrl, join } from "@std/path";
import { sha256Of } from "../../../src/io/hash.ts";
import { Random } from "../data/random.ts";

/** When writers are killed: at any time, or soon after samples, their files by name, or a new description are there. */
const MOMENTS: readonly { readonly sign?: RegExp; readonly most: number }[] = [
  { most: 1.1 },
  { sign: /\/\.table\.f[^/]*$/, most: 0.2 },
  { sign: /\/table\.f\d+[^/]*$/, most: 0.001 },
  { sign: /\/table\.dat$/, most: 0.001 },
];

/** What casacore reads from the set. */
interface Seen {
  readonly others: Readonly<Record<string, string>>;
  readonly model?: {
    readonly digest: string;
    readonly sum: readonly [number, number];
    readonly numpy: readonly [number, number];
  };
}

function flag(name: string, otherwise: string): string {
  const at = Deno.args.indexOf(`--${name}`);
  return at < 0 ? otherwise : Deno.args[at + 1] ?? otherwise;
}

const [count, random] = [Number(flag("count", "50")), new Random(Number(flag("seed", "1")))];
const folder = await Deno.makeTempDir(), ms = join(folder, "day.ms");
const judge = startJudge();
try {
  Deno.exitCode = await main();
} finally {
  await judge.close();
  await Deno.remove(folder, { recursive: true });
}

async function main(): Promise<number> {
  const made = await judge.next();
  const files = await otherFiles();
  await Deno.writeTextFile(`${folder}/0.csv`, sky(1));
  await Deno.writeTextFile(`${folder}/1.csv`, sky(2));
  const started = performance.now();
  await write(0);
  const whole = performance.now() - started, states: string[] = [];
  for (const which of [1, 0]) {
    await write(which);
    states[which] = (await judge.ask()).model!.digest;
  }
  let [failed, now] = [0, 0];
  const ended: Record<string, number> = {};
  for (let n = 0; n < count; n++) {
    const next = 1 - now, moment = MOMENTS[n % MOMENTS.length]!;
    const delay = random.next() * moment.most * whole;
    const left = await killed(next, delay, moment.sign);
    const wrong = problemOf(await judge.ask(), made, states, [now, next]);
    const changed = await otherFiles() === files ? [] : ["another file has changed"];
    for (const text of [...wrong.problems, ...changed]) {
      console.error(`${n}, killed after ${delay.toFixed(0)} ms: ${text}`);
    }
    failed += wrong.problems.length + changed.length > 0 ? 1 : 0;
    const end = wrong.found === now ? left ? "old, while samples were written" : "old" : "new";
    ended[end] = (ended[end] ?? 0) + 1;
    console.log(
      `${n}, killed after ${delay.toFixed(0)} ms from ${moment.sign?.source ?? "the start"}: ${end}`,
    );
    if (wrong.found >= 0) now = wrong.found;
  }
  await write(1 - now);
  if ((await judge.ask()).model!.digest !== states[1 - now]) failed++;
  console.log(`${count} kills, ${failed} wrong; the set was ${JSON.stringify(ended)}`);
  return failed > 0 ? 1 : 0;
}

function problemOf(
  { others, model }: Seen,
  made: Seen,
  states: readonly string[],
  allowed: readonly number[],
) {
  const found = states.indexOf(model?.digest ?? "");
  const problems = [];
  if (!allowed.includes(found)) problems.push("the column is neither the old nor the new one");
  if (JSON.stringify(others) !== JSON.stringify(made.others)) problems.push("another column has changed");
  const size = Math.hypot(...model?.numpy ?? [NaN]);
  const isNear = model?.sum.every((value, i) => Math.abs(value - model.numpy[i]!) <= 1e-6 * size);
  if (!isNear) problems.push(`TaQL has the sum ${model?.sum}, NumPy ${model?.numpy}`);
  return { found, problems };
}

function sky(seed: number): string {
  const own = new Random(seed), place = () => (0.02 * (own.next() - 0.5)).toFixed(6);
  const lines = Array.from(
    { length: 40 },
    (_, i) => `s${i},${place()},${place()},${(own.next() + 0.1).toFixed(3)}`,
  );
  return `Name,l,m,I\n${lines.join("\n")}\n`;
}

function command(which: number): Deno.Command {
  const program = fromFileUrl(new URL("../../../src/cli/main.ts", import.meta.url));
  const words = ["predict", `${folder}/${which}.csv`, ms, "--column", "MODEL_DATA", "-q", "--workers", "1"];
  return new Deno.Command(Deno.execPath(), { args: ["run", "-A", "--no-check", program, ...words] });
}

async function write(which: number): Promise<void> {
  const { success, stderr } = await command(which).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** Kills a writer some time after it began, or after a file is there; whether it left hidden files. */
async function killed(which: number, delay: number, sign: RegExp | undefined): Promise<boolean> {
  const before = hidden().length;
  using watcher = Deno.watchFs(ms, { recursive: false });
  await using child = command(which).spawn();
  const ended = child.status.then(() => {});
  if (sign) await Promise.race([ended, seenIn(watcher, sign)]);
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, delay))]);
  try {
    child.kill("SIGKILL");
  } catch {
    // it has ended
  }
  await ended;
  return hidden().length > before;
}

/** Waits until a file with such a name is made, or takes the place of another one. */
async function seenIn(watcher: Deno.FsWatcher, sign: RegExp): Promise<void> {
  for await (const { kind, paths } of watcher) {
    if (kind !== "access" && paths.some((path) => sign.test(path))) return;
  }
}

function hidden(): string[] {
  return [...Deno.readDirSync(ms)].map(({ name }) => name).filter((name) => name.startsWith("."));
}

/** The digest of all files but those of the column, and the description and the lock of the set. */
async function otherFiles(): Promise<string> {
  const kept = new Set(await filesOfSet());
  const parts: string[] = [];
  for (const path of [...kept].sort()) {
    parts.push(`${path} ${await sha256Of([await Deno.readFile(join(ms, path))])}`);
  }
  return parts.join("\n");
}

/** Files of the first writing, and of tables within the set; those of later columns have higher numbers. */
async function filesOfSet(under = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(ms, under))) {
    const path = under === "" ? name : `${under}/${name}`;
    if (isDirectory) found.push(...await filesOfSet(path));
    else if (under !== "" || /^table\.(f[01]|f[01]_TSM\d+|info)$/.test(name)) found.push(path);
  }
  return found;
}

/** casacore, which says after each line what it reads. */
function startJudge() {
  const script = fromFileUrl(new URL("judge.py", import.meta.url));
  const child = new Deno.Command(flag("python", "python3"), {
    args: [script, ms],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const texts = child.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let text = "";
  const next = async (): Promise<Seen> => {
    for (let at; (at = text.indexOf('{"others')) < 0 || text.indexOf("\n", at) < 0;) {
      const { value, done } = await texts.next();
      if (done) throw new Error("the Python with casacore ended");
      text += value;
    }
    const from = text.indexOf('{"others'), end = text.indexOf("\n", from), line = text.slice(from, end);
    text = text.slice(end + 1);
    return JSON.parse(line);
  };
  return {
    next,
    async ask(): Promise<Seen> {
      await writer.write(new TextEncoder().encode("\n"));
      return await next();
    },
    async close(): Promise<void> {
      await writer.close();
      await child.status;
    },
  };
}
