/** Every example in comments of UDFs holds. */

import { testExamples } from "./examples.ts";

testExamples((path) => path.startsWith("src/udf/"));
