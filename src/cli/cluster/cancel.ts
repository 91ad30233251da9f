/**
 * `tilewise cancel`: ends a run on an engine.
 *
 * @module
 */

import { openEngine } from "../../cluster/open_engine.ts";
import { TilewiseError } from "../../errors.ts";
import type { Arguments } from "../shell/args.ts";
import { HEADS } from "../shell/heads.ts";
import { type CliIo, outJson, outTable } from "../shell/io.ts";
import type { Verb } from "../shell/verb.ts";

/** The verb. */
export const CANCEL: Verb = {
  ...HEADS.cancel,
  least: 2,
  most: 2,
  flags: [],
  notes: [
    "Workers stop between two tiles. Parts that are done stay in the store; the same run goes on from them.",
  ],
  examples: [[
    "tilewise cancel redis://:PASSWORD@lab:6379 5f3a90c2d1e84b77",
    "The run that status shows by this name.",
  ]],
  run: cancel,
};

async function cancel(args: Arguments, io: CliIo): Promise<number> {
  const [url = "", run = ""] = args.positionals;
  await using engine = await openEngine(url);
  if (!await engine.cancel(run)) {
    const text = `There is no run "${run}" on ${engine.url}; tilewise status shows their names`;
    throw new TilewiseError("not-found", text, { found: run });
  }
  if (args.has("json")) outJson(io, { run, cancelled: true });
  else outTable(io, [[`run ${run}`, "cancelled"]]);
  return 0;
}
