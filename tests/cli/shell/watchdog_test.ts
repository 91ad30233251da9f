/** Code of users on the thread of the command line: what does not return, or would end the program. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { cli, TILEWISE, withFolder } from "../harness.ts";

const path = (name: string) => decodeURIComponent(new URL(name, import.meta.url).pathname);

interface Command {
  readonly child: Deno.ChildProcess;
  /** Waits until the function has been reached. */
  reached(): Promise<void>;
}

/** The words of a command with the UDF that misbehaves, whose files are in `folder`. */
async function wordsFor(folder: string, values: string, flags: readonly string[]): Promise<string[]> {
  await Deno.writeFile(`${folder}/a.raw`, new Uint8Array(64 * 16));
  const word = `${path("stuck_udf.ts")}:${values},marker=${folder}/marker`;
  const shape = ["--dtype", "uint8", "--nav", "8x8", "--sig", "4x4", "--partitions", "4", "--quiet"];
  return ["run", word, `${folder}/a.raw`, ...shape, ...flags];
}

/** Runs the UDF that misbehaves, as a process. */
async function withStuck(
  values: string,
  flags: readonly string[],
  body: (command: Command) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const words = await wordsFor(folder, values, flags);
    const child = new Deno.Command(Deno.execPath(), {
      args: [...TILEWISE, ...words],
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const reached = async () => {
      while (!await Deno.stat(`${folder}/marker`).then(() => true, () => false)) {
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    };
    await body({ child, reached });
  });
}

/** Runs cases at the same time: each is a process that mostly waits for its timeout. */
function together<T>(
  name: string,
  cases: readonly T[],
  of: (one: T) => string,
  run: (one: T) => Promise<void>,
): void {
  const free = { sanitizeOps: false, sanitizeResources: false, sanitizeExit: false }; // those of other steps
  Deno.test(name, async (test) => {
    const steps = cases.map((one) => test.step({ name: of(one), fn: () => run(one), ...free }));
    await Promise.all(steps);
  });
}

/** Where a UDF hangs, and how: by computing for ever, or by waiting, which costs nothing while the timeout passes. */
type Hang = readonly [at: string, how: "loop" | "wait"];

const MAIN: readonly Hang[] = [
  ["merge", "loop"],
  ["results", "wait"],
  ["preprocess", "wait"],
  ["constants", "wait"],
  ["factory", "wait"],
];

const WORKER: readonly Hang[] = [
  ["processFrame", "loop"],
  ["taskData", "wait"],
  ["postprocess", "wait"],
  ["cleanup", "wait"],
];

const from = ([at, how]: Hang) => `from ${at}, in a ${how}`;

together("a UDF that does not return is a timeout that names it", MAIN, from, async ([at, how]) => {
  await withStuck(`at=${at},how=${how}`, ["--workers", "1", "--stall-timeout", "1"], async ({ child }) => {
    const { code, stderr } = await child.output();
    const text = new TextDecoder().decode(stderr);
    assertEquals(code, 1, text);
    const hook = at === "factory" ? 'default() of UDF "stuck_udf"' : `${at}() of UDF "stuck"`;
    assertEquals(
      text,
      `tilewise: [timeout] ${hook} has not returned for 1 s; raise --stall-timeout if it may take longer\n`,
    );
  });
});

together("the same without workers", WORKER, from, async ([at, how]) => {
  await withStuck(`at=${at},how=${how}`, ["--workers", "0", "--stall-timeout", "1"], async ({ child }) => {
    const { code, stderr } = await child.output();
    const text = new TextDecoder().decode(stderr);
    assertEquals(code, 1, text);
    assertStringIncludes(text, `[timeout] ${at}() of UDF "stuck" has not returned for 1 s`);
  });
});

together("the same on workers", WORKER, from, async ([at, how]) => {
  await withFolder(async (folder) => {
    const flags = ["--workers", "1", "--stall-timeout", "1"];
    const { code, err } = await cli(await wordsFor(folder, `at=${at},how=${how}`, flags)); // this thread is not in danger
    assertEquals(code, 1, err);
    assertStringIncludes(err, `it has lost its worker 2 times (hung) in ${at}() of UDF "stuck"`);
  });
});

const INTERRUPTED = [["merge", 1, "wait"], ["processFrame", 0, "loop"], ["factory", 0, "wait"]] as const;

together(
  "the second Ctrl-C ends a command whose UDF does not return",
  INTERRUPTED,
  ([at, _, how]) => from([at, how]),
  async ([at, workers, how]) => {
    await withStuck(`at=${at},how=${how}`, ["--workers", `${workers}`], async ({ child, reached }) => {
      await reached();
      child.kill("SIGINT");
      let text = "";
      for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) {
        text += part;
        if (text.includes("interrupt again")) child.kill("SIGINT");
      }
      const { code } = await child.status;
      assertEquals(code, 130, text);
      const hook = at === "factory" ? "default() of UDF" : `${at}() of UDF "stuck"`;
      assertStringIncludes(text, `tilewise: waiting for ${hook}`);
    });
  },
);

const ENDS: readonly (readonly [how: string, at: string, workers: number, found: RegExp])[] = [
  ["exit", "merge", 1, /^tilewise: \[udf\] A user-defined function called Deno\.exit\(\), which would end/],
  ["exit", "results", 0, /^tilewise: \[udf\] A user-defined function called Deno\.exit\(\), which would end/],
  ["exit", "processFrame", 0, /^tilewise: \[udf\] .*called Deno\.exit\(\), which would end/],
  ["exit", "processFrame", 1, /^tilewise: \[udf\] .*called Deno\.exit\(\), which would end/],
  ["exit", "factory", 0, /^tilewise: \[udf\] .*called Deno\.exit\(\), which would end/],
  ["process exit", "merge", 1, /^tilewise: \[udf\] .*called process\.exit\(\), which would end/],
  ["timer exit", "processFrame", 0, /^tilewise: \[udf\] .*code failed that nobody waits for.*Deno\.exit\(\)/],
  [
    "timer",
    "processFrame",
    0,
    /^tilewise: \[udf\] .*code failed that nobody waits for, such as a timer of a UDF: out of line/,
  ],
  [
    "reject",
    "merge",
    1,
    /^tilewise: \[udf\] .*code failed that nobody waits for, such as a timer of a UDF: nobody listens/,
  ],
  ["circle", "merge", 1, /^tilewise: \[udf\] UDF "stuck" failed in merge\(\): outer/],
];

for (const [how, at, workers, found] of ENDS) {
  Deno.test(`a UDF with a ${how} in ${at}, ${workers} workers: an error on one line and code 1`, async () => {
    await withStuck(`at=${at},how=${how}`, ["--workers", `${workers}`], async ({ child }) => {
      const { code, stderr } = await child.output();
      const text = new TextDecoder().decode(stderr);
      assertEquals(code, 1, text);
      assert(found.test(text), text);
      assertEquals(text.split("\n").length, 2, text);
    });
  });
}
