/**
 * Tests in a copy of the checkout, so that the checkout is never changed.
 *
 * @module
 */

import { dirname, join } from "@std/path";
import { countdown } from "../../src/executor/pool/remote.ts";
import { waitedByProcess } from "../../src/executor/process/remote.ts";

/** Folders of a checkout that are not copied. */
const LEFT_OUT = new Set([".git", "node_modules", "coverage", ".ci"]);
/**
 * Most time of a group of tests, in milliseconds, without that in which other programs had the processor: a fault that makes
 * them wait is found.
 */
const PATIENCE = 120_000;

/** Tests are run in groups, the nearest first: the next group runs if none of those before has failed. */
const GROUPS = [2, 4];

/** How a process ends. */
type Outcome = "passed" | "failed" | "too long";

/**
 * How a fault ends: found by a test; tests that pass without it take too long, which counts as found on a quiet
 * machine; found by the types; or not at all.
 */
export type End = "found" | "too long" | "by types" | "survived";

/** A file with a fault. */
export interface Trial {
  /** Its path in the checkout. */
  readonly file: string;
  /** Its text. */
  readonly original: string;
  /** Its text with the fault. */
  readonly text: string;
}

/** A copy of a checkout. */
export class Copy implements AsyncDisposable {
  /** Whether tests pass without faults: those that do not say nothing. */
  readonly #passes = new Map<string, boolean>();

  private constructor(private readonly folder: string, private readonly tree: string) {}

  /** Copies the checkout; what lies in `shared` beside it is linked. */
  static async of(root: string): Promise<Copy> {
    const folder = await Deno.makeTempDir({ prefix: "tilewise-mutants-" });
    const copy = new Copy(folder, join(folder, "main"));
    await copyTree(root, copy.tree);
    const shared = join(dirname(root), "shared");
    if (await Deno.stat(shared).then(() => true, () => false)) {
      await Deno.symlink(shared, join(folder, "shared"));
    }
    await Deno.mkdir(join(folder, "tmp"));
    return copy;
  }

  /** How a fault ends: see {@linkcode End}. */
  async tried(trial: Trial, tests: readonly string[]): Promise<End> {
    const path = join(this.tree, trial.file);
    const plant = () => Deno.writeTextFile(path, trial.text);
    const restore = () => Deno.writeTextFile(path, trial.original);
    await plant();
    try {
      for (let group = 0, at = 0; at < tests.length; at += GROUPS[group++] ?? tests.length) {
        const some = tests.slice(at, at + (GROUPS[group] ?? tests.length));
        const end = await this.#ended(some, restore, plant);
        if (end !== "passed") return end === "failed" ? "found" : "too long";
      }
      return await this.#deno("check", "--quiet", trial.file) === "passed" ? "survived" : "by types";
    } finally {
      await restore();
    }
  }

  /** How those of `tests` end that pass without the fault. */
  async #ended(
    tests: readonly string[],
    restore: () => Promise<void>,
    plant: () => Promise<void>,
  ): Promise<Outcome> {
    const known = tests.filter((test) => this.#passes.get(test) !== false);
    const first = known.length === 0 ? "passed" : await this.#run(known);
    if (first === "passed") return first;
    await restore();
    for (const test of known) {
      if (!this.#passes.has(test)) this.#passes.set(test, await this.#run([test]) === "passed");
    }
    await plant();
    const sound = known.filter((test) => this.#passes.get(test));
    if (sound.length === known.length) return first;
    return sound.length > 0 ? await this.#run(sound) : "passed";
  }

  #run(tests: readonly string[]): Promise<Outcome> {
    return this.#deno("test", "-A", "--no-check", "--quiet", "--fail-fast", ...tests);
  }

  async #deno(...args: readonly string[]): Promise<Outcome> {
    const child = new Deno.Command(Deno.execPath(), {
      args: [...args],
      cwd: this.tree,
      env: { TMPDIR: join(this.folder, "tmp") },
      stdout: "null",
      stderr: "null",
    }).spawn();
    let late = false;
    const end = () => {
      late = true;
      child.kill();
    };
    const timer = countdown(PATIENCE, () => waitedByProcess(child.pid), end);
    const { success } = await child.status;
    clearInterval(timer);
    if (success) return "passed";
    return late ? "too long" : "failed";
  }

  /** Removes the copy. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for await (const { name, isDirectory, isFile } of Deno.readDir(from)) {
    if (LEFT_OUT.has(name)) continue;
    if (isDirectory) await copyTree(join(from, name), join(to, name));
    else if (isFile) await Deno.copyFile(join(from, name), join(to, name));
  }
}
