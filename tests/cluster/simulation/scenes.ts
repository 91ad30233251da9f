/**
 * Scenes that are simulated, each beside the time that the model says.
 *
 * @module
 */

import { type Forecast, forecast } from "../../../src/cluster/model/model.ts";
import type { Scene } from "./cluster.ts";

/** Ten terabytes on a thousand workers of 100 MB/s, with storage that is not a limit. */
export const TEN_TERABYTES: Scene = {
  workers: 1000,
  units: 10_000,
  unitBytes: 1e9,
  rate: 100e6,
  storageRate: 400e9,
  engineRate: 2400,
};

/** By name. */
export const SCENES: Readonly<Record<string, Scene>> = {
  "1000 workers, no losses": TEN_TERABYTES,
  "1000 workers, 5 % lost every minute": { ...TEN_TERABYTES, lostPerMinute: 0.05 },
  "the same, 20 000 jobs": {
    ...TEN_TERABYTES,
    units: 20_000,
    rate: 50e6,
    unitBytes: 0.5e9,
    lostPerMinute: 0.05,
  },
  "storage of 50 GB/s": { ...TEN_TERABYTES, rate: 400e6, storageRate: 50e9, lostPerMinute: 0.05 },
  "an engine of 50 jobs/s": { ...TEN_TERABYTES, engineRate: 50, lostPerMinute: 0.05 },
  "10 000 workers, 100 TB": {
    ...TEN_TERABYTES,
    workers: 10_000,
    units: 100_000,
    storageRate: 4e12,
    lostPerMinute: 0.05,
  },
};

/** What the model says of a scene; parts are not merged in it. */
export function forecastOf(scene: Scene): Forecast {
  const {
    units,
    unitBytes,
    unitsPerJob = 1,
    workers,
    rate,
    storageRate,
    engineRate,
    lostPerMinute = 0,
    restart = 60,
  } = scene;
  return forecast({
    bytes: units * unitBytes,
    jobBytes: unitBytes * unitsPerJob,
    parts: units,
    partBytes: 0,
    workers,
    rate,
    storageRate,
    engineRate,
    lostPerMinute,
    restart,
  });
}
