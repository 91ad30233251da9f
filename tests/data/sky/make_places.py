"""Places on the sky of pixels of FITS images, by astropy: python make_places.py > places.json"""

import json

import numpy as np
from astropy import units as u
from astropy.coordinates import SkyCoord
from astropy.io import fits
from astropy.wcs import WCS

KINDS = {
    "CDELT": {"CDELT1": -0.25, "CDELT2": 0.2},
    "CD": {"CD1_1": -0.2, "CD1_2": 0.05, "CD2_1": 0.04, "CD2_2": 0.21},
    "PC": {"CDELT1": -0.25, "CDELT2": 0.2, "PC1_1": 0.9, "PC1_2": 0.3, "PC2_1": -0.2, "PC2_2": 1.1},
    "CROTA2": {"CDELT1": -0.25, "CDELT2": 0.2, "CROTA2": 25.0},
}

rng = np.random.default_rng(5)
rows = []
for projection in ["SIN", "TAN", "ARC"]:
    for kind, cards in KINDS.items():
        cards = {
            "CTYPE1": "RA---" + projection,
            "CTYPE2": "DEC--" + projection,
            "CRVAL1": round(float(rng.uniform(0, 360)), 3),
            "CRVAL2": round(float(rng.uniform(-89, 89)), 3),
            "CRPIX1": round(float(rng.uniform(-20, 60)), 2),
            "CRPIX2": round(float(rng.uniform(-20, 60)), 2),
            "CUNIT1": "deg",
            "CUNIT2": "deg",
            **cards,
        }
        if projection == "TAN" and kind == "CDELT":
            cards["LONPOLE"] = 130.0
        sky = WCS(fits.Header(cards))
        places = [(0, 0), (12, 31), (40, 5)]  # row, column
        world = [[y, x, *np.round(sky.wcs_pix2world([[x, y]], 0)[0], 9).tolist()] for y, x in places]
        ra, dec = sky.wcs_pix2world([[10, 10]], 0)[0]
        beam = [float(rng.uniform(0.3, 3)), float(rng.uniform(0.1, 0.3)), float(rng.uniform(-90, 90))]
        north = SkyCoord(ra, dec, unit="deg").directional_offset_by(beam[2] * u.deg, 1e-4 * u.deg)
        tip = (sky.wcs_world2pix([[north.ra.deg, north.dec.deg]], 0)[0] - 10) / 1e-4 * beam[0] / 2
        lines = [[r, d] for r in np.round(ra) + [-2, 0, 3] for d in np.round(dec) + [-1, 0, 1] if abs(d) < 90]
        crossings = [[*place, *np.round(sky.wcs_world2pix([place], 0)[0][::-1], 6).tolist()] for place in lines]
        rows.append({"cards": cards, "world": world, "crossings": crossings, "beam": beam, "tip": tip[::-1].tolist()})
print("[\n" + ",\n".join("  " + json.dumps(row) for row in rows) + "\n]")
