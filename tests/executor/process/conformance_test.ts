/** The process executor obeys the conformance suite. */

import { processExecutor } from "../../../src/executor/process/executor.ts";
import { executorConformance, GRACE } from "../conformance.ts";
import { CELLS_FOLDER } from "../steps.ts";

/** What steps do beside what their jobs say: they count in files, and one of them runs a program. */
const permissions = { read: [CELLS_FOLDER], write: [CELLS_FOLDER], run: ["sh"] };

for (const workers of [1, 2]) {
  executorConformance(`${workers} processes`, () => processExecutor({ workers, permissions, grace: GRACE }));
}
