/**
 * A cluster that is simulated: the coordinator, the workers and the engine are the real ones; processes that die, storage
 * that is shared, an engine that takes time, and time itself are simulated.
 *
 * @module
 */

import { coordinate } from "../../../src/cluster/engine/coordinator.ts";
import type { Clock } from "../../../src/clock.ts";
import type { Claim, Engine } from "../../../src/cluster/engine/engine.ts";
import type { EngineJob } from "../../../src/cluster/engine/job.ts";
import { MemoryEngine } from "../memory/engine.ts";
import { serveJobs, type UnitRun } from "../../../src/cluster/engine/worker.ts";
import { SimulatedClock } from "./clock.ts";
import { randomNumbers } from "./random.ts";

/** A cluster, and what it has to do. */
export interface Scene {
  readonly workers: number;
  readonly units: number;
  readonly unitBytes: number;
  readonly unitsPerJob?: number;
  /** Bytes per second of a worker, of the storage; jobs per second of the engine. */
  readonly rate: number;
  readonly storageRate: number;
  readonly engineRate: number;
  /** Part of the workers that is lost every minute, and seconds until one is back. */
  readonly lostPerMinute?: number;
  readonly restart?: number;
  /** The engine forgets everything at these seconds. */
  readonly wipes?: readonly number[];
  /** Seconds at which the coordinator is killed and started again. */
  readonly restarts?: readonly number[];
  readonly seed?: number;
  /** Whether the clock of every process is up to an hour ahead or behind. */
  readonly skewed?: true;
}

/** What happened. */
export interface Outcome {
  /** Simulated seconds until the coordinator said that the run is done. */
  readonly seconds: number;
  /** Commits of each unit that were the first: 1 if all is well. */
  readonly committed: Uint8Array;
  /** Units that were computed more than once. */
  readonly again: number;
  /** Workers that were lost. */
  readonly lost: number;
}

const HOUR = 3_600_000;
const NEVER = new Promise<never>(() => {});

/** Runs a scene to its end. */
export async function simulate(scene: Scene): Promise<Outcome> {
  const clock = new SimulatedClock();
  return await clock.run(new Cluster(scene, clock).run());
}

class Cluster {
  readonly #engine: MemoryEngine;
  readonly #random: () => number;
  readonly #done: Uint8Array;
  readonly #committed: Uint8Array;
  readonly #over = new AbortController();
  readonly #skews = randomNumbers(77);
  #again = 0;
  #lost = 0;
  #reading = 0;
  #busy = 0;

  constructor(readonly scene: Scene, readonly clock: SimulatedClock) {
    this.#engine = new MemoryEngine({ clock });
    this.#random = randomNumbers(scene.seed ?? 1);
    this.#done = new Uint8Array(scene.units);
    this.#committed = new Uint8Array(scene.units);
  }

  async run(): Promise<Outcome> {
    for (let i = 0; i < this.scene.workers; i++) void this.#machine(i);
    for (const at of this.scene.wipes ?? []) void this.clock.sleep(at * 1000).then(() => this.#engine.wipe());
    await this.#coordinate();
    const seconds = this.clock.now() / 1000;
    this.#over.abort();
    return { seconds, committed: this.#committed, again: this.#again, lost: this.#lost };
  }

  /** The coordinator, killed and started again at the given times. */
  async #coordinate(): Promise<void> {
    for (const at of [...this.scene.restarts ?? [], Infinity]) {
      const life = this.#life(at * 1000 - this.clock.now());
      const work = coordinate(this.#run(), mortal(this.#engine, life), life, {
        unitsPerJob: this.scene.unitsPerJob ?? 1,
      });
      if (at === Infinity) return await work;
      await Promise.race([work, life.end]);
      if (!life.over) return;
    }
  }

  #run() {
    return {
      name: "5e1f",
      title: "simulation",
      store: "memory:",
      manifest: "0",
      total: this.scene.units,
      nameOf: String,
      whatOf: String,
      committed: () => Promise.resolve(this.#done.slice()),
    };
  }

  /** A place for a worker: when its process is lost, another one comes after a while. */
  async #machine(number: number): Promise<void> {
    const { lostPerMinute = 0, restart = 60 } = this.scene;
    for (let life = 0; !this.#over.signal.aborted; life++) {
      await this.clock.sleep(this.#random() * 500);
      const seconds = lostPerMinute > 0 ? -Math.log(1 - this.#random()) * 60 / lostPerMinute : Infinity;
      await this.#process(`w${number}-${life}`, this.#life(seconds * 1000));
      if (this.#over.signal.aborted) return;
      this.#lost++;
      await this.clock.sleep(restart * 1000, this.#over.signal);
    }
  }

  #life(milliseconds: number): Life {
    const skew = this.scene.skewed ? (2 * this.#skews() - 1) * HOUR : 0;
    return new Life(this.clock, milliseconds, skew);
  }

  async #process(name: string, life: Life): Promise<void> {
    const work = serveJobs(mortal(this.#served(), life), life, {
      name,
      tilewise: "0",
      open: () => Promise.resolve(this.#unitRun(life)),
      signal: this.#over.signal,
      beat: 5000,
      poll: 1000,
    });
    await Promise.race([work, life.end]);
  }

  #unitRun(life: Life): UnitRun {
    return {
      has: (unit) => Promise.resolve(this.#done[unit] === 1),
      compute: (unit) => this.#compute(unit, life),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }

  /** Reads a unit from storage that all share, a quarter at a time, and commits it; a process may be lost at any time. */
  async #compute(unit: number, life: Life): Promise<void> {
    const { unitBytes, rate, storageRate } = this.scene;
    const own = rate * (0.95 + 0.1 * this.#random());
    this.#reading++;
    const leave = life.leaving(() => this.#reading--);
    for (let quarter = 0; quarter < 4; quarter++) {
      await life.sleep(unitBytes / 4 / Math.min(own, storageRate / this.#reading) * 1000);
    }
    leave();
    if (this.#done[unit]) this.#again++;
    else this.#committed[unit]!++;
    this.#done[unit] = 1;
    await life.sleep(0); // it may be lost before it says so
  }

  /** The engine, which hands out so many jobs per second. */
  #served(): Engine {
    const take = async (worker: string): Promise<Claim | undefined> => {
      const claim = await this.#engine.claim(worker);
      if (!claim) return undefined;
      this.#busy = Math.max(this.#busy, this.clock.now()) + 1000 / this.scene.engineRate;
      const wait = this.#busy - this.clock.now();
      if (wait > 50) await this.clock.sleep(wait);
      return claim;
    };
    return new Proxy(this.#engine, {
      get: (engine, name) => name === "claim" ? take : bound(engine, name),
    }) as unknown as Engine;
  }
}

/** The time of a process: it stands still when the process is lost. */
class Life implements Clock {
  over = false;
  readonly end: Promise<void>;
  readonly #leaving = new Set<() => void>();

  /** A process that is lost after so many milliseconds, and whose clock is `skew` milliseconds ahead. */
  constructor(readonly clock: Clock, milliseconds: number, readonly skew: number) {
    this.end = milliseconds === Infinity ? NEVER : clock.sleep(milliseconds).then(() => {
      this.over = true;
      for (const leave of this.#leaving) leave();
    });
  }

  now(): number {
    return this.clock.now() + this.skew;
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await this.clock.sleep(milliseconds, signal);
    if (this.over) await NEVER;
  }

  /** `leave` is called once: by the function that is returned, or when the process is lost. */
  leaving(leave: () => void): () => void {
    const once = () => {
      if (this.#leaving.delete(once)) leave();
    };
    this.#leaving.add(once);
    return once;
  }
}

/** An engine as a process sees it that may be lost: nothing comes back then. */
function mortal(engine: Engine, life: Life): Engine {
  return new Proxy(engine, {
    get: (target, name) => {
      const member = bound(target, name);
      if (typeof member !== "function" || typeof name === "symbol") return member;
      return (...args: unknown[]) => life.over ? NEVER : (member as (...args: unknown[]) => unknown)(...args);
    },
  });
}

function bound(target: object, name: string | symbol): unknown {
  const member = Reflect.get(target, name, target);
  return typeof member === "function" ? member.bind(target) : member;
}

export type { EngineJob };
