/**
 * The service of images: what a runner loads to answer calls for images.
 *
 * @module
 */

import { filesOf } from "../channels/host/files.ts";
import type { Service, ServicePlace } from "../channels/host/services.ts";
import { imageAnswers } from "./answers.ts";

/** The answers of a runner; image files are found as other files of the host are. */
export async function imageService(_shared: undefined, { memory, layout }: ServicePlace): Promise<Service> {
  return { functions: imageAnswers(await filesOf(memory, layout)) };
}
