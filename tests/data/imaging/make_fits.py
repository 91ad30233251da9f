"""Makes fits.json: what astropy reads in FITS files of images, for `tests/cli/radio/fits_test.ts`.

    python tests/data/imaging/make_fits.py

Needs astropy and numpy, and deno on the path: `tests/cli/radio/fits_cases.ts` writes the files.
"""

import json
import os
import subprocess
import tempfile
import warnings

import numpy as np
from astropy import units
from astropy.io import fits
from astropy.wcs import WCS
from astropy.wcs.utils import wcs_to_celestial_frame

here = os.path.dirname(os.path.abspath(__file__))
warnings.simplefilter("error")
cases = []
with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["deno", "run", "-A", "--no-check", os.path.join(here, "../../cli/radio/fits_cases.ts"), folder], check=True)
    for i in range(len(os.listdir(folder))):
        path = os.path.join(folder, f"{i}.fits")
        with fits.open(path) as file, open(path, encoding="latin-1") as text:
            file.verify("exception")
            header, data = file[0].header, file[0].data
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it tells of MJD-OBS, which it sets itself
                wcs = WCS(header)
            assert data.ndim == 4 and np.array_equal(data.ravel(), np.arange(data.size)), i
            assert units.Unit(header["BUNIT"]) == units.Jy / units.beam
            places = [[0, 0], [3, 3], [6, 5], [1, 4], [5, 0]]
            last = np.array(data.shape[:2]) - 1
            world = [wcs.all_pix2world([[x, y, last[1], last[0]]], 0)[0].tolist() for x, y in places]
            case = {
                "header": [line.rstrip() for line in iter(lambda: text.read(80), "END".ljust(80))],
                "frame": wcs_to_celestial_frame(wcs).name if not header["CTYPE1"].startswith(("S", "E")) else None,
                "places": places,
                "world": world,
            }
            if len(file) > 1:
                table = file["BEAMS"]
                case["beams"] = [[float(value) for value in row] for row in table.data]
                case["units"] = [column.unit for column in table.columns]
                assert [table.header["NCHAN"], table.header["NPOL"]] == [data.shape[1], data.shape[0]]
            else:
                case["beam"] = [header["BMAJ"], header["BMIN"], header["BPA"]]
            cases.append(case)
with open(os.path.join(here, "fits.json"), "w") as file:
    json.dump(cases, file, indent=None, separators=(",", ":"))
    file.write("\n")
