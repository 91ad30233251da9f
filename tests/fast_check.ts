/**
 * fast-check as the tests import it: with a seed, so that a test that passes does so again.
 *
 * @module
 */

import fc from "fast-check/unseeded";
import { SEED } from "./suite/cases.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

export * from "fast-check/unseeded";
export default fc;
