/**
 * What threads of workers run: they know the modules of all jobs that come with Tilewise by name, so that bundlers find them.
 *
 * A page that is bundled without help for workers bundles this module, `@tilewise/tilewise/worker`, by itself, and says where
 * it is: `useWorker(new URL("worker.js", import.meta.url))`.
 *
 * @module
 */

import { registerJobs } from "./executor/handler.ts";
import "./executor/worker.ts";

registerJobs({
  "tilewise:udf": () => import("./udf/worker/job.ts"),
  "tilewise:map": () => import("./views/map/job.ts"),
  "tilewise:phase": () => import("./rime/phase.ts"),
});
