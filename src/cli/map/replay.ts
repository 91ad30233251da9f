/**
 * Repeats a `map` from its manifest without writing anything: the digest of the result must be the recorded one.
 *
 * @module
 */

import { inputsOf, report, sayChanged, sayVersion, sayWhere } from "../manifests/compare.ts";
import { allowModules } from "../manifests/modules.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import type { CliIo } from "../shell/io.ts";
import { parseArguments } from "../shell/parse_arguments.ts";
import { filterWords, mapModules, withMap } from "./asked.ts";
import { digestOf } from "./digest.ts";
import { kernelsDigest, mapManifestIn } from "./manifest.ts";
import { MAP } from "./map.ts";
import { pass } from "./pass.ts";

/** Computes again what the manifest at `path` records; `flags` are added to its command. Returns the exit code. */
export async function replayMap(
  path: string,
  manifest: unknown,
  flags: readonly string[],
  args: Arguments,
  io: CliIo,
): Promise<number> {
  const recorded = mapManifestIn(path, manifest);
  sayWhere(path, recorded.command, io);
  const again = parseArguments(MAP, [...recorded.command.arguments, ...flags]);
  if (again.has("help")) throw new UsageError("it asks for help");
  await allowModules(path, recorded.command, mapModules(filterWords(again)), args, io);
  return await withMap(again, io, again.text("output"), async (asked) => {
    const { dataset, operation, options, context } = asked;
    sayChanged(recorded.inputs, await inputsOf(dataset), io);
    const found = await pass(
      "map",
      dataset.byteLength,
      { args: again, io },
      (settings) => digestOf(dataset, operation, { ...options, context, ...settings }),
    );
    sayVersion(recorded, await kernelsDigest(), io);
    const results = recorded.results.map(({ result, sha256: expected }) => ({
      names: { result },
      expected,
      found,
    }));
    return report(results, path, args, io);
  });
}
