/** A page that computes what the programs compute, and sends what it has found to where it comes from. */

import { channelsOfPage } from "./channels_page.ts";
import { usePackages } from "./package_names.ts";
import { refusals } from "./refusals.ts";
import { digests, type Inputs } from "./work.ts";

/** Computes on so many workers as the address says; in the end, `/found` is told. */
async function prove(): Promise<void> {
  const answer = await found().then(
    (digests) => ({ digests }),
    (error) => ({ error: String(error?.stack ?? error) }),
  );
  await fetch("/found", { method: "POST", body: JSON.stringify(answer) });
}

async function found(): Promise<Record<string, string>> {
  const { document } = globalThis as unknown as { document: { querySelector(what: string): unknown } };
  const isBundled = document.querySelector('[type="importmap"]') === null;
  if (isBundled) usePackages({ h5wasm: new URL("/h5wasm/hdf5_hl.js", location.href).href });
  const { searchParams } = new URL(location.href);
  if (searchParams.get("work") === "channels") return await channelsOfPage();
  if (searchParams.get("work") === "refusals") {
    return await refusals(searchParams.get("visit")!, searchParams.get("elsewhere")!);
  }
  const [raw, filters, library] = await Promise.all(
    ["/data/raw", "/data/filters", "/data/library"].map(async (path) => await (await fetch(path)).blob()),
  );
  const inputs: Inputs = {
    raw: raw!,
    filters: filters!,
    library: library!,
    own: new URL("/own_udf.js", location.href).href,
  };
  return await digests(inputs, Number(searchParams.get("workers")));
}

await prove();
