"""Makes angles.json: position angles of the zenith, by astropy: place of an antenna, time, right ascension, declination, angle, zenith
distance. Needs astropy and numpy. Run it in this folder: python make_angles.py
"""

import json

import astropy.units as u
import numpy as np
from astropy.coordinates import AltAz, EarthLocation, SkyCoord
from astropy.time import Time
from astropy.utils import iers

iers.conf.auto_download = False
rng = np.random.default_rng(5)
found = []
for k in range(60):
    lat, lon = np.degrees(np.arcsin(rng.uniform(-0.95, 0.95))), rng.uniform(-180, 180)
    place = EarthLocation.from_geodetic(lon * u.deg, lat * u.deg, 1000 * u.m)
    time = Time(rng.uniform(53000, 59500), format="mjd", scale="utc", location=place)
    zenith = SkyCoord(alt=90 * u.deg, az=0 * u.deg, frame=AltAz(obstime=time, location=place)).icrs
    if k % 3 == 0:  # near the poles
        source = SkyCoord(rng.uniform(0, 360) * u.deg, np.sign(rng.uniform(-1, 1)) * rng.uniform(85, 89.95) * u.deg)
    else:  # near the zenith, and anywhere
        least, most = (1, 10) if k % 3 == 1 else (10, 80)
        near = zenith.directional_offset_by(rng.uniform(0, 360) * u.deg, rng.uniform(least, most) * u.deg)
        source = SkyCoord(near.ra.deg * u.deg, near.dec.deg * u.deg)
    angle = source.position_angle(zenith).wrap_at(180 * u.deg).rad
    found.append([[float(c.value) for c in place.geocentric], float(time.mjd * 86400), float(source.ra.rad),
                  float(source.dec.rad), float(angle), float(source.separation(zenith).rad)])
with open("angles.json", "w") as file:
    json.dump(found, file)
