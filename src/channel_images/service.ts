/**
 * The service of images: what a runner loads to answer calls for images.
 *
 * @module
 */

import { nodeFiles } from "../channels/backends/node.ts";
import type { Service, ServicePlace } from "../channels/host/services.ts";
import { imageAnswers } from "./answers.ts";

/** The answers of a runner. */
export function imageService(_shared: undefined, _place: ServicePlace): Service {
  return { functions: imageAnswers(nodeFiles) };
}
