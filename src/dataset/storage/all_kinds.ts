/**
 * The facts about all storage kinds, known as soon as this module is loaded: for code that is given layouts as plain data, and
 * asks about them at once, such as that of views.
 *
 * @module
 */

import { CHUNKS } from "./chunks/kind.ts";
import { knowKinds } from "./kinds.ts";
import { VIRTUAL } from "./virtual/kind.ts";
import { SCAN_FIRST } from "./scan_first/kind.ts";
import { SECTORS_KIND } from "./sectors/kind.ts";
import { SPARSE } from "./sparse/kind.ts";

knowKinds({
  "scan-first": SCAN_FIRST,
  "chunks": CHUNKS,
  virtual: VIRTUAL,
  "sectors": SECTORS_KIND,
  "sparse": SPARSE,
});
