import { assert, assertEquals } from "@std/assert";
import type { CliIo } from "../../../src/cli/shell/io.ts";
import { doneText, ProgressBar, progressText, rate } from "../../../src/cli/shell/progress.ts";

const advance = {
  frames: 30,
  framesTotal: 40,
  bytes: 3e9,
  seconds: 2,
  bytesPerSecond: 1.5e9,
  etaSeconds: 0.5,
};

function recorder(errIsTerminal: boolean): { io: CliIo; written: string[] } {
  const written: string[] = [];
  const io: CliIo = {
    out: () => {
      throw new Error("progress goes to stderr");
    },
    err: (text) => void written.push(text),
    outIsTerminal: false,
    errIsTerminal,
    colour: false,
    columns: 80,
    signal: new AbortController().signal,
  };
  return { io, written };
}

/** A clock that stands still until it is told to go on. */
function stopped(): { now(): number; pass(milliseconds: number): void } {
  let now = 5000;
  return { now: () => now, pass: (milliseconds) => void (now += milliseconds) };
}

Deno.test("on a terminal a bar is drawn over itself, not too often, and goes away", () => {
  const { io, written } = recorder(true);
  const clock = stopped();
  const bar = new ProgressBar({ ...io, clock }, "run", false);
  clock.pass(99);
  bar.update(advance);
  assertEquals(written, []);
  clock.pass(1);
  for (let i = 0; i < 100; i++) bar.update(advance);
  assertEquals(written.length, 1);
  assert(
    written[0]!.startsWith(
      `\rrun ${"█".repeat(18)}${"░".repeat(6)} 75% (30 of 40 frames), 1.50 GB/s, 0:01 to go`,
    ),
  );
  bar.clear();
  bar.clear();
  assertEquals(written.slice(1), ["\r\x1b[K"]);
});

Deno.test("elsewhere a line appears after ten seconds, and none with --quiet", () => {
  for (const [terminal, quiet] of [[false, false], [true, true]] as const) {
    const { io, written } = recorder(terminal);
    const clock = stopped();
    const bar = new ProgressBar({ ...io, clock }, "run", quiet);
    clock.pass(9999);
    bar.update(advance);
    bar.clear();
    assertEquals(written, []);
    clock.pass(1);
    bar.update(advance);
    assertEquals(written, quiet ? [] : ["run: 75% (30 of 40 frames), 1.50 GB/s, 0:01 to go\n"]);
  }
});

Deno.test("rates and times as people read them", () => {
  assertEquals([rate(9.9e9), rate(5e7), rate(0)], ["9.90 GB/s", "50.0 MB/s", "0.0 MB/s"]);
  assert(!progressText({ ...advance, etaSeconds: Infinity }).includes("to go"));
  assert(progressText({ ...advance, etaSeconds: 3599.2 }).endsWith("60:00 to go"));
  assertEquals(progressText({ ...advance, frames: 0, framesTotal: 0 }).slice(0, 3), "0% ");
  assertEquals(doneText(advance), "30 frames, 2.8 GiB in 2.00 s, 1.50 GB/s");
});
