/** The worker, for bundlers that do not bundle workers by themselves. */

import "@tilewise/tilewise/worker";
