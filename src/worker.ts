/**
 * The module that worker threads run in bundles. It knows the modules of all jobs of Tilewise by name, so that bundlers find
 * them.
 *
 * If a bundler does not bundle workers, bundle this module, `@tilewise/tilewise/worker`, separately and say where it is:
 * `useWorker(new URL("worker.js", import.meta.url))`.
 *
 * @module
 */

import { registerJobs } from "./executor/handler.ts";
import "./executor/worker.ts";

registerJobs({
  "tilewise:udf": () => import("./udf/worker/job.ts"),
  "tilewise:map": () => import("./views/map/job.ts"),
  "tilewise:store": () => import("./views/sinks/chunks/job.ts"),
  "tilewise:tiles": () => import("./views/tiles/loaders/job.ts"),
  "tilewise:launch": () => import("./channels/launch/job.ts"),
  "tilewise:wasi": () => import("./channels/wasi/job.ts"),
  "tilewise:cube": () => import("./hypercube/run/job.ts"),
  "tilewise:cube-function": () => import("./hypercube/run/kernels/function.ts"),
  "tilewise:cube-kernel": () => import("./hypercube/run/kernels/assembly_job.ts"),
  "tilewise:cube-expression": () => import("./hypercube/run/kernels/expression_job.ts"),
  "tilewise:phase": () => import("./rime/phase.ts"),
  "tilewise:predict": () => import("./rime/predict/kernel.ts"),
  "tilewise:equation": () => import("./rime/equation/kernel.ts"),
  "tilewise:image": () => import("./rime/image/job.ts"),
  "tilewise:channels": () => import("./channels/host/runner_job.ts"),
  "tilewise:channel-files": () => import("./channels/host/file_service.ts"),
  "tilewise:channel-functions": () => import("./channels/remote/service.ts"),
  "tilewise:channel-images": () => import("./channel_images/service.ts"),
  "tilewise:gradient": () => import("./rime/terms/gradient/kernel.ts"),
});
