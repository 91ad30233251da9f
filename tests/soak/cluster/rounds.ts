/**
 * Random rounds on engines: runs of random sizes while one thing is wrong all the time. Each ends with the bits of the local run, or
 * with the error that it must end with; and when what was wrong is mended, the same store gives the bits of the local run.
 *
 * @module
 */

import { join } from "@std/path";
import { succeeds } from "../../installed.ts";
import { cli } from "../../cli/harness.ts";
import { hasPostgres, PostgresServer } from "../../cluster/engine/postgres_server.ts";
import { hasRedis, RedisServer } from "../../cluster/engine/redis_server.ts";
import { faketime } from "../../cluster/faults/cases.ts";
import { digestOf, type EngineServer, kill, Lab, partsIn } from "../../cluster/faults/lab.ts";
import { ROOT } from "../../cluster/faults/scan.ts";
import { failWrite } from "../../io/failing_writes.ts";
import { type Part, type SoakOptions, Tally } from "../part.ts";

/** Rounds of each kind, or as many as there is time for, in milliseconds. */
const COUNT = 40, MOST = 480_000;

/** A number from 0 to `below`, without it. */
type Draw = (below: number) => number;

/** What is wrong all the time. */
interface Kind {
  readonly name: string;
  readonly help: string;
  readonly needs: Part["needs"];
  readonly server?: () => Promise<EngineServer>;
  /** Begins; returns what makes one round, which says what is wrong. */
  begin(lab: Lab, draw: Draw, over: AbortSignal): Promise<(round: number) => Promise<string | undefined>>;
}

function drawing(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

/** A run of random size. */
function asked(lab: Lab, draw: Draw, more = "") {
  const udfs = [`${lab.slow}:ms=${draw(4)}${more}`, ["stddev", "sum", "sumsig"][draw(3)]!];
  return { udfs, flags: ["--partitions", `${4 + draw(20)}`], store: lab.newStore() };
}

type Asked = ReturnType<typeof asked>;

/** What differs from the local run. */
async function differs(
  lab: Lab,
  { udfs }: Asked,
  { code, err, digest }: { code: number; err: string; digest: string },
): Promise<string | undefined> {
  if (code !== 0) return `exit code ${code}: ${err}`;
  const local = await lab.local(udfs.map((one) => one.replace(/ms=\d+/, "ms=0")));
  return digest === local ? undefined : `other bits:\n${digest}\n${local}`;
}

/** A run, in the middle of which something happens to one of the workers, which another one replaces. */
async function shaken(lab: Lab, draw: Draw, workers: Deno.ChildProcess[], start: () => Deno.ChildProcess) {
  const one = asked(lab, draw);
  const running = lab.run(one);
  running.catch(() => {}); // awaited below
  const at = draw(workers.length), way = draw(3);
  if (way > 0) await lab.parts(one.store, 1);
  if (way === 1) workers[at]!.kill("SIGSTOP");
  if (way === 2) {
    await kill(workers[at]!);
    workers[at] = start();
  }
  const ended = await running;
  if (way === 1) workers[at]!.kill("SIGCONT");
  return await differs(lab, one, ended);
}

/** The same run on this machine alone, whose parts are in the store: what fails there is not tried again. */
async function here(lab: Lab, one: Asked) {
  const out = lab.newStore();
  const ended = await cli([...lab.words(one), "--workers", "0", "-o", `${out}/`]);
  return { ...ended, digest: await digestOf(out) };
}

/** Another checkout of the same code, in which `change` has changed a file. */
async function checkout(folder: string, file: string, change: (text: string) => string): Promise<string> {
  await Deno.mkdir(folder, { recursive: true });
  for (const name of ["src", "mod.ts", "deno.json", "deno.lock"]) {
    const { success } = await new Deno.Command("cp", { args: ["-r", join(ROOT, name), folder] }).output();
    if (!success) throw new Error(`${name} cannot be copied`);
  }
  const path = join(folder, file);
  const before = await Deno.readTextFile(path), after = change(before);
  if (before === after) throw new Error(`${file} is not changed`);
  await Deno.writeTextFile(path, after);
  return folder;
}

const mount = (...words: string[]) => new Deno.Command("mount", { args: words }).output();

const NEEDS_REDIS = { what: "redis-server", isThere: hasRedis };

const KINDS: readonly Kind[] = [
  {
    name: "rounds-postgres",
    help: "an engine on PostgreSQL whose workers stop and are killed",
    needs: { what: "postgresql of Debian, or initdb and postgres on the path", isThere: hasPostgres },
    server: () => PostgresServer.start(),
    begin(lab, draw) {
      const start = () => lab.worker();
      const workers = [start(), start()];
      return Promise.resolve(() => shaken(lab, draw, workers, start));
    },
  },
  {
    name: "rounds-clocks",
    help: "workers whose clocks are up to an hour wrong",
    needs: {
      what: "redis-server and faketime",
      isThere: () => hasRedis() && faketime() !== undefined,
    },
    begin(lab, draw) {
      const wrong = () => `${draw(2) === 0 ? "+" : "-"}${draw(3601)}s`; // without a sign it would be a date
      const start = () => lab.worker({ LD_PRELOAD: faketime()!, FAKETIME: wrong() });
      const workers = [start(), start(), start()];
      return Promise.resolve(() => shaken(lab, draw, workers, start));
    },
  },
  {
    name: "rounds-versions",
    help: "workers of another version, and of the same one with other code",
    needs: NEEDS_REDIS,
    async begin(lab, draw) {
      const older = await checkout(
        join(lab.folder, "older"),
        "src/version.ts",
        (text) => text.replace(/"\d+\.\d+\.\d+"/, '"0.0.7"'),
      );
      const other = await checkout(
        join(lab.folder, "other"),
        "src/entries/udf.ts",
        (text) => `${text}// other\n`,
      );
      for (const root of [ROOT, older, other]) lab.worker({}, root);
      return async () => {
        const one = asked(lab, draw);
        if (draw(2) === 0) one.udfs.shift(); // only UDFs of Tilewise
        const ended = await lab.run(one);
        const refused = /\[(unsupported|changed)\]/.test(ended.err);
        if (ended.code === 1 && refused) return undefined;
        return await differs(lab, one, ended);
      };
    },
  },
  {
    name: "rounds-poison",
    help: "a part that fails or ends its workers is named, and the others stay",
    needs: NEEDS_REDIS,
    begin(lab, draw, over) {
      const keep = () => void lab.worker().status.then(() => over.aborted || keep());
      keep();
      keep();
      return Promise.resolve(async (round: number) => {
        const marked = draw(256);
        await lab.writeScan(1 + draw(9), marked);
        const dies = round % 8 === 7;
        const one = asked(lab, draw, dies ? ",at=die" : ",at=throw");
        const ended = await lab.run(one);
        const text = dies ? /workers ended while they computed/ : /not to my liking/;
        if (ended.code !== 1 || !text.test(ended.err)) return `exit code ${ended.code}: ${ended.err}`;
        const { run } = JSON.parse(await Deno.readTextFile(`${one.store}/manifest`));
        const there = partsIn(one.store).length, most = run.work.units.length - 1;
        return there <= most ? undefined : `${there} parts of ${most} are there`;
      });
    },
  },
  {
    name: "rounds-full",
    help: "a store on a disk that is full, and then is larger",
    needs: {
      what: "redis-server, and the right to mount a small disk",
      isThere: () => hasRedis() && Deno.uid() === 0 && succeeds("mount", "--version"),
    },
    begin(lab, draw) {
      return Promise.resolve(async (round: number) => {
        const disk = join(lab.folder, `disk${round}`);
        await Deno.mkdir(disk);
        const size = 8 + 4 * draw(12);
        if (!(await mount("-t", "tmpfs", "-o", `size=${size}k`, "none", disk)).success) return "no disk";
        try {
          const one = { ...asked(lab, draw), store: join(disk, "store") };
          const first = await here(lab, one);
          if (first.code === 0) return await differs(lab, one, first);
          if (!/is full/.test(first.err)) return `exit code ${first.code}: ${first.err}`;
          await mount("-o", "remount,size=8m", disk);
          return await differs(lab, one, await here(lab, one));
        } finally {
          await new Deno.Command("umount", { args: ["-l", disk] }).output();
        }
      });
    },
  },
  {
    name: "rounds-quota",
    help: "a store whose quota is used up at a random write, and then is larger",
    needs: NEEDS_REDIS,
    begin(lab, draw) {
      return Promise.resolve(async () => {
        const one = asked(lab, draw);
        using fault = await failWrite(1 + draw(60), "EDQUOT", draw(2) === 0);
        const first = await here(lab, one);
        fault[Symbol.dispose]();
        if (first.code === 0) return await differs(lab, one, first);
        if (!/\[io\]/.test(first.err) || !/quota/.test(first.err)) {
          return `exit code ${first.code}: ${first.err}`;
        }
        return await differs(lab, one, await here(lab, one));
      });
    },
  },
];

/** When a source was last changed. */
async function lastChange(folder = join(ROOT, "src")): Promise<number> {
  let last = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    last = Math.max(last, isDirectory ? await lastChange(path) : Number((await Deno.stat(path)).mtime));
  }
  return last;
}

async function rounds(kind: Kind, { seed, quick }: SoakOptions): Promise<Tally> {
  const tally = new Tally(), before = await lastChange();
  await using lab = await Lab.open(kind.server ?? (() => RedisServer.start()));
  const draw = drawing(seed);
  const over = new AbortController();
  const round = await kind.begin(lab, draw, over.signal);
  const until = performance.now() + MOST;
  for (let i = 0; i < (quick ? 1 : COUNT) && performance.now() < until; i++) {
    await tally.add(`round ${i}`, async () => {
      const wrong = await round(i);
      if (await lastChange() === before) return wrong;
      over.abort();
      return "the sources were changed meanwhile: workers that begin now refuse the runs; start again";
    });
    if (over.signal.aborted) break;
    await lab.server.wipe();
  }
  over.abort();
  return tally;
}

/** A part for each kind. */
export const ROUNDS: readonly Part[] = KINDS.map((kind) => ({
  name: kind.name,
  help: `runs in random rounds: ${kind.help}`,
  ...(kind.needs ? { needs: kind.needs } : {}),
  run: (options) => rounds(kind, options),
}));
