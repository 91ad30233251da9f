/** The mean of 3 × 3 samples of an image, in tiles with a halo. */

import { createContext, open } from "@tilewise/tilewise";
import { boxMean, mapViews } from "@tilewise/tilewise/views";

await using context = createContext({ memory: "16MiB", workers: 2 });
const samples = Uint16Array.from({ length: 512 * 512 }, (_, i) => i % 509);
const image = await open({ data: samples, shape: [512, 512] }); // or a path: open("image.npy")

const { data, shape } = await mapViews(image, boxMean({ radius: 1 }), { border: "reflect", context });
console.log(shape, data.slice(0, 3));
