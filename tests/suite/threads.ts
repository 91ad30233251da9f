/** Threads that a test leaves behind: they compute until the last test is over. */

/** Seconds of processor time that no worker of the tests needs. */
const MOST = 60;

/** Ticks of processor time per second, as Linux counts them for programs. */
const TICKS = 100;

/** The workers of process `pid` that have computed for more than `most` seconds; only Linux tells of them. */
export function busyWorkers(pid: number, most: number = MOST): string[] {
  const folder = `/proc/${pid}/task`;
  return namesIn(folder).flatMap((thread) => {
    const [, name, rest] = /\((worker-\d+)\) (.*)/.exec(textOf(`${folder}/${thread}/stat`)) ?? [];
    if (!name) return [];
    const [user, system] = rest!.split(" ").slice(11, 13).map(Number);
    return (user! + system!) / TICKS > most ? [name] : [];
  });
}

/** Looks at the workers of process `pid` now and then; the lines say which have computed for too long. */
export function watchWorkers(pid: number): { readonly lines: string[]; [Symbol.dispose](): void } {
  const seen = new Set<string>(), lines: string[] = [];
  const timer = setInterval(() => {
    for (const name of busyWorkers(pid).filter((one) => !seen.has(one))) {
      seen.add(name);
      lines.push(
        `A thread of a test (${name}) has computed for more than ${MOST} s: what never returns must end`,
      );
    }
  }, 5000);
  return { lines, [Symbol.dispose]: () => clearInterval(timer) };
}

function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return []; // another system, or the process has ended
  }
}

function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return ""; // the thread has ended
  }
}
