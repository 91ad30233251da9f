/**
 * What the page of LiberTEM does when a user opens a file and chooses analyses: it runs in that page, and uses the addresses and
 * the socket that its buttons use.
 *
 * @module
 */

/// <reference lib="dom" />

/** A raw file, and what is computed of it. */
export interface Asked {
  readonly path: string;
  readonly nav: readonly number[];
  readonly sig: readonly number[];
  /** Kinds and parameters, as LiberTEM calls them. */
  readonly analyses: readonly {
    readonly type: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  }[];
}

/** Seconds, and results. */
export interface Answered {
  /** Until the data set is open. */
  readonly open: number;
  /** Per analysis, until its last picture is there; twice: compiled code is there the second time. */
  readonly runs: readonly (readonly [number, number])[];
  /** Per analysis, the address of its results as HDF5. */
  readonly results: readonly string[];
}

/** Opens the file and runs the analyses, in the page of LiberTEM. */
export async function askLibertem({ path, nav, sig, analyses }: Asked): Promise<Answered> {
  const put = async (where: string, body: unknown) => {
    const reply = await fetch(`/api/${where}`, { method: "PUT", body: JSON.stringify(body) });
    const answer = await reply.json();
    if (answer.status !== "ok") throw new Error(`${where}: ${JSON.stringify(answer)}`);
  };
  const socket = new WebSocket(`ws://${location.host}/api/events/`);
  await new Promise((resolve) => socket.onopen = resolve);
  /** Resolves when a job has ended and all its pictures, which follow that message, are there. */
  const pictures = (job: string) =>
    new Promise<void>((resolve, reject) => {
      let left = Infinity;
      socket.onmessage = ({ data }) => {
        if (typeof data !== "string") return void (--left === 0 && resolve());
        const { messageType, job: ended, msg, followup } = JSON.parse(data);
        if (ended === job && messageType === "JOB_ERROR") reject(new Error(msg));
        if (ended === job && messageType === "FINISH_JOB") left = followup.numMessages;
        else left = Infinity; // pictures of parts
      };
    });
  const timed = async (work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    return (performance.now() - start) / 1000;
  };
  const cores = navigator.hardwareConcurrency;
  await put("config/connection/", { connection: { type: "LOCAL", numWorkers: cores, cudas: {} } });
  const [dataset, compound] = [crypto.randomUUID(), crypto.randomUUID()];
  const params = { type: "RAW", path, nav_shape: nav, sig_shape: sig, dtype: "uint16", sync_offset: 0 };
  const open = await timed(() => put(`datasets/${dataset}/`, { dataset: { params } }));
  const ids = analyses.map(() => crypto.randomUUID());
  await put(`compoundAnalyses/${compound}/`, {
    dataset,
    details: { mainType: analyses[0]!.type, analyses: ids },
  });
  const runs: [number, number][] = [];
  for (const [i, { type, parameters }] of analyses.entries()) {
    const analysis = ids[i]!;
    const details = { analysisType: type, parameters };
    await put(`compoundAnalyses/${compound}/analyses/${analysis}/`, { dataset, details });
    const run = () =>
      timed(async () => {
        const job = crypto.randomUUID();
        const whole = pictures(job);
        await put(`jobs/${job}/`, { job: { analysis } });
        await whole;
      });
    runs.push([await run(), await run()]);
  }
  socket.close();
  const results = ids.map((id) => `/api/compoundAnalyses/${compound}/analyses/${id}/download/HDF5/`);
  return { open, runs, results };
}
