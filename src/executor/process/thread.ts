/**
 * The module that the computing thread of a worker process runs.
 *
 * @module
 */

import "../worker.ts";
import { quieten } from "./quiet.ts";

quieten();
