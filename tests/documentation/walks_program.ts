/**
 * The five runs that `docs/architecture.md` walks through; `walks_test.ts` follows the calls of this program.
 *
 * Its arguments: the folder for files, a Measurement Set.
 *
 * @module
 */

import { cli } from "../cli/harness.ts";
import { onEngine } from "../cluster/on_engine.ts";
import { smallRun } from "../cluster/small_run.ts";
import { encodeNpy } from "../npy_files.ts";
import { createContext } from "@tilewise/tilewise";
import { launchKernel, startHost } from "@tilewise/tilewise/channels";
import { mergeRun, openStore, readyRun } from "@tilewise/tilewise/unstable/cluster";

const [folder, observation] = Deno.args as [string, string];

/** Says to the tracer which run begins. */
const begin = (walk: string) => Reflect.get(globalThis, "walk")?.(walk);

async function tilewise(...words: string[]): Promise<void> {
  const { code, err } = await cli(words);
  if (code !== 0) throw new Error(`${words.join(" ")}: ${err}`);
}

begin("A sum");
const scan = Uint16Array.from({ length: 8 * 8 * 16 * 16 }, (_, i) => i);
await Deno.writeFile(`${folder}/scan.npy`, encodeNpy(scan, [8, 8, 16, 16], "uint16"));
await tilewise("run", "sum", `${folder}/scan.npy`, "--workers", "1", "-o", `${folder}/sum.npy`);

begin("A filter to a pyramid");
await Deno.writeFile(`${folder}/image.npy`, encodeNpy(scan.slice(0, 64 * 64), [64, 64], "uint16"));
await tilewise("map", "gaussian:sigma=2", `${folder}/image.npy`, "-o", `${folder}/blurred.ome.zarr`);

begin("A prediction");
await Deno.writeTextFile(`${folder}/sky.csv`, "Name,Ra,Dec,I\na,71.62,-28.65,1.5\n");
await tilewise("predict", `${folder}/sky.csv`, observation, "-o", `${folder}/model.zarr`);

begin("A file read in a kernel");
{
  await Deno.writeFile(`${folder}/positions.bin`, new Uint8Array(new BigInt64Array([2n, 0n, 1n]).buffer));
  await using context = createContext({ memory: "1MiB", workers: 1 });
  await using host = await startHost(context, { channels: 1, bufferLength: 1, type: "int64" });
  const kernel = { file: new URL("../../examples/channel_kernel.as.ts", import.meta.url) };
  await launchKernel(host, kernel, { groups: 1, args: [`${folder}/positions.bin`, 3], route: "rpc" });
}

begin("A job on an engine");
{
  await using small = await smallRun(folder, await openStore(`dir:${folder}/parts`));
  await onEngine(small.store, small.stored, small.context);
  await using ready = await readyRun(small.store, { context: small.context });
  await mergeRun(small.store, ready);
}
