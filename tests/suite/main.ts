/**
 * The tests of `deno task test`: all but those of `test:browser` and `test:long`, between two looks at what they must not touch.
 * Words go to `deno test`.
 *
 * @module
 */

import { fromFileUrl } from "@std/path";
import config from "../../deno.json" with { type: "json" };
import { writeJoined } from "./joined.ts";
import { ignoredForSamples } from "./samples.ts";
import { watchWorkers } from "./threads.ts";
import { look, marked } from "./watch.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));

/** What other tasks run. */
export const ELSEWHERE = [
  "tests/browser",
  ...config.tasks["test:long"].command.split(" && ")[0]!.split(" ").filter((word) =>
    word.startsWith("tests/")
  ),
];

/** What ends the tests, and not this process alone. */
const SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];

/**
 * Each run has a memory of its own, whose size V8 counts as garbage to come. Where it marks in steps, it then marks all of the heap at
 * every new context: 25 ms in a test, and a third of the time of some files. Where it collects on threads beside it, some files take a
 * fifth more of processor time.
 */
const COLLECTING = "--v8-flags=--no-incremental-marking,--single-threaded-gc";

/** What a run of the tests has come to. */
interface Outcome {
  readonly code: number;
  /** In the form of JUnit. */
  readonly report: string;
  /** A line for each thread that computed for too long. */
  readonly busy: readonly string[];
}

/** Runs the tests. */
async function runTests(words: readonly string[]): Promise<Outcome> {
  const folder = await Deno.makeTempDir({ prefix: "tilewise-suite-" });
  const report = `${folder}/report.xml`;
  const how = [
    "-A",
    "--no-check",
    "--parallel",
    "--quiet",
    `--junit-path=${report}`,
    COLLECTING,
    "--unstable-lazy-dynamic-imports", // else each worker begins with a look at all modules that it might import
  ];
  try {
    const joined = words.length > 0 ? [] : writeJoined(ROOT, folder, ELSEWHERE);
    const paths = words.length > 0 ? words : [folder, "."];
    const args = ["test", ...how, `--ignore=${[...ELSEWHERE, ...joined].join()}`, ...paths];
    const child = new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).spawn();
    for (const signal of SIGNALS) Deno.addSignalListener(signal, () => child.kill(signal));
    using watched = watchWorkers(child.pid);
    const { code } = await child.status;
    return { code, report: await Deno.readTextFile(report), busy: watched.lines };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) {
  using _ = marked();
  const before = await look(ROOT);
  const { code, report, busy } = await runTests(Deno.args);
  const touched = (await look(ROOT)).since(before);
  for (const line of [...touched, ...busy, ...ignoredForSamples(ROOT, report)]) console.error(line);
  Deno.exit(touched.length > 0 ? 1 : code);
}
