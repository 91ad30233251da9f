/**
 * A worker that is killed (SIGKILL) at a step of its first commit: `mortal_worker.ts STEP ENGINE FOLDER`.
 *
 * @module
 */

import type { Engine } from "../../../src/cluster/engine/engine.ts";
import { serve } from "../../../src/cluster/engine/serve.ts";
import { openEngine } from "../../../src/cluster/open_engine.ts";
import { replaceWriteCalls, type WriteCalls, writeCalls } from "../../../src/io/write/calls.ts";
import type { Step } from "./steps.ts";

const [step, url, folder] = Deno.args as [Step, string, string];

function die(): never {
  Deno.kill(Deno.pid, "SIGKILL");
  for (;;); // until the signal arrives
}

function at(now: Step): void {
  if (step === now) die();
}

/** The calls that write a part, each of which may be the last one. */
function mortalCalls(calls: WriteCalls): WriteCalls {
  return {
    ...calls,
    async create(path, mode) {
      const file = await calls.create(path, mode);
      at("created");
      return {
        ...file,
        async write(bytes) {
          if (step !== "half written") return await file.write(bytes);
          await file.write(bytes.subarray(0, bytes.length >> 1));
          return die();
        },
        async sync() {
          at("written");
          await file.sync();
          at("synced");
        },
      };
    },
    async link(from, to) {
      await calls.link(from, to);
      at("linked");
    },
    async remove(path) {
      await calls.remove(path);
      at("cleaned");
    },
  };
}

function mortalEngine(engine: Engine): Engine {
  return new Proxy(engine, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return async (...args: unknown[]) => {
        if (name === "finish") at("committed");
        const answer = await member.apply(target, args);
        if (name === "claim" && answer !== undefined) at("claimed");
        if (name === "finish") at("finished");
        return answer;
      };
    },
  });
}

using _calls = replaceWriteCalls(mortalCalls(await writeCalls()));
await using engine = await openEngine(url);
await serve(mortalEngine(engine), {
  name: `mortal:${Deno.pid}`,
  signal: new AbortController().signal,
  allow: [`file://${folder}/`],
});
