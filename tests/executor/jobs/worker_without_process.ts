/**
 * The code of workers, on a thread without `process`.
 *
 * @module
 */

import "./no_process.ts";
import "../../../src/executor/worker.ts";
