/** Every example in comments of the library holds; those of UDFs, which are many, are in a file of their own. */

import { testExamples } from "./examples.ts";

testExamples((path) => path.startsWith("src/") && !path.startsWith("src/udf/"));
