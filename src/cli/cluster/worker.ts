/**
 * `tilewise worker`: computes parts of runs that others have planned.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { CONTEXT_FLAGS } from "../flags/run_flags.ts";
import { hostname } from "node:os";
import { pid } from "node:process";
import { pathToFileURL } from "node:url";
import { reachEngine } from "../../cluster/open_engine.ts";
import { serve } from "../../cluster/engine/serve.ts";
import type { WorkerEvent } from "../../cluster/engine/worker.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { HEADS } from "../shell/heads.ts";
import { type CliIo, outJson } from "../shell/io.ts";
import { contextOf } from "../shell/threads.ts";
import type { Verb } from "../shell/verb.ts";

/** The verb. */
export const WORKER: Verb = {
  ...HEADS.worker,
  least: 1,
  most: 1,
  flags: [
    {
      name: "allow-modules",
      value: "PLACE",
      multiple: true,
      help: "run modules from this folder or host, as ./udfs or https://lab.org/; default: none",
    },
    {
      name: "grace",
      value: "SECONDS",
      help: "time to finish a part after SIGTERM, 20 by default; then it is given back",
    },
    {
      name: "idle",
      value: "SECONDS",
      help: "end after so long without a job, as in an array job of a scheduler",
    },
    ...CONTEXT_FLAGS,
  ],
  notes: [
    "A worker runs what others have planned: built-in analyses always, modules only from places that --allow-modules names.",
    "It opens no port. Everybody who may write to the engine may let it read files: use a password and rediss:// (TLS).",
  ],
  examples: [
    ["tilewise worker redis://:PASSWORD@lab:6379", "Takes jobs until it is ended."],
    ["tilewise worker rediss://:PASSWORD@lab --allow-modules ./udfs", "Also runs UDFs from one folder."],
  ],
  run: work,
};

async function work(args: Arguments, io: CliIo): Promise<number> {
  const [grace, idle] = [args.value("grace", seconds), args.value("idle", seconds)];
  await using engine = await reachEngine(args.positionals[0] ?? "", {
    signal: io.signal,
    unreachableTimeout: idle ?? Infinity,
    waits: (message) => tell({ event: "unreachable", message: `${message} Waiting for it` }, args, io),
  });
  for (const warning of engine.warnings) io.err(`tilewise: warning: ${engine.url}: ${warning}\n`);
  await using context = contextOf(args);
  const parts = await serve(engine, {
    name: `${hostname()}:${pid}`,
    signal: io.signal,
    allow: args.texts("allow-modules").map(placeOf),
    context,
    ...defined({ grace, idle }),
    onEvent: (event) => tell(event, args, io),
  });
  if (args.has("json")) outJson(io, { event: "end", parts });
  else if (!args.has("quiet")) io.err(`tilewise: made ${parts} parts\n`);
  return 0;
}

/** Milliseconds, from seconds. */
function seconds(text: string): number {
  const found = Number(text);
  if (text.trim() !== "" && Number.isFinite(found) && found >= 0) return found * 1000;
  throw new UsageError(`"${text}" is not a number of seconds`);
}

/** A place of modules as a URL; folders as they are typed. */
function placeOf(text: string): string {
  return /^[a-z]{2,}:/.test(text) ? text : pathToFileURL(text).href;
}

function tell(event: WorkerEvent, args: Arguments, io: CliIo): void {
  if (args.has("json")) return outJson(io, event);
  if (args.has("quiet")) return;
  const text = textOf(event);
  if (text) io.err(`tilewise: ${text}\n`);
}

function textOf(event: WorkerEvent): string | undefined {
  switch (event.event) {
    case "idle":
      return "waiting for jobs";
    case "unit":
      return `run ${event.run}: part ${event.unit}`;
    case "refused":
      return `refuses run ${event.run}: ${event.message}`;
    case "failed":
      return `${event.run} failed: ${event.message}`;
    case "again":
      return `${event.run} is tried again: ${event.message}`;
    case "lost":
      return `${event.job} was given to another worker`;
    case "unreachable":
      return event.message;
    default:
      return undefined;
  }
}
