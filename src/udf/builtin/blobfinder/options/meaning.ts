/**
 * What results about disks say of themselves.
 *
 * @module
 */

import type { AxisFacts, ValueFacts } from "../../../../space/axes.ts";

/** Positions and vectors in a frame. */
export const PLACES: ValueFacts = { kind: "vector", unit: "px" };

/** Their last dimension. */
export const COMPONENT: AxisFacts = { name: "component", names: ["y", "x"] };

/** The dimension that counts disks. */
export const DISK: AxisFacts = { name: "disk" };
