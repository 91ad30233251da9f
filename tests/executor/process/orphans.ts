/** A program whose worker processes compute without end; it says which they are. */

import { processExecutor } from "../../../src/executor/process/executor.ts";
import { CELLS_FOLDER, Steps } from "../steps.ts";

const WORKERS = 3;

const permissions = { read: [CELLS_FOLDER], write: [CELLS_FOLDER] };
const executor = processExecutor({ workers: WORKERS, permissions });
const steps = new Steps(executor);
const tasks = Array.from({ length: WORKERS }, () => ({ do: "busy", ms: 1e9 }) as const);
const work = steps.all(tasks);
await steps.begun(WORKERS);
console.log(JSON.stringify({ pids: executor.pids, cells: steps.shared.cells }));
await work;
