/** The mean of 3 × 3 samples of an image, in tiles with a halo. */

import { createContext, open, run } from "@tilewise/tilewise";
import { arrayOf, planBoxFilter } from "@tilewise/tilewise/views";

await using context = createContext({ memory: "16MiB", workers: 2 });
const samples = Uint16Array.from({ length: 512 * 512 }, (_, i) => i % 509);
const image = await open({ data: samples, shape: [512, 512] }); // or a path: open("image.npy")

const plan = planBoxFilter(arrayOf(image), { radius: 1, border: "reflect", context });
const { data, shape } = await run(plan);
console.log(shape, data.slice(0, 3));
