"""Clusters of frames, and the two steps that they are made of."""

import numpy as np
from libertem.analysis.clust import ClusterAnalysis
from libertem.udf.stddev import StdDevUDF, consolidate_result
from skimage.feature import peak_local_max
from sklearn.cluster import AgglomerativeClustering
from sklearn.feature_extraction.image import grid_to_graph


def in_order(labels, shape):
    """Labels from 1 in the order in which they first appear."""
    _, first, inverse = np.unique(np.ravel(labels), return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype="i4")
    rank[np.argsort(first)] = np.arange(1, len(first) + 1)
    return rank[inverse].reshape(shape)


def maxima(_, params):
    names = dict(minDistance="min_distance", count="num_peaks", excludeBorder="exclude_border")
    given = {names[name]: value for name, value in params["options"].items()}
    return {"at": peak_local_max(params["image"], **given).astype(float)}


def ward(_, params):
    features, n = params["features"], params["n"]
    nav = features.shape[:-1]
    x, y, z = (*nav, 1, 1)[:3]
    labels = np.zeros(1) if np.prod(nav) == 1 else AgglomerativeClustering(
        n_clusters=n, linkage="ward", connectivity=grid_to_graph(n_x=x, n_y=y, n_z=z)
    ).fit(features.reshape(np.prod(nav), -1)).labels_
    return {"labels": in_order(labels, nav)}


def cluster(subject, p):
    ring = p["ring"]
    analysis = ClusterAnalysis(
        subject.dataset,
        dict(n_clust=p["n"], n_peaks=p["features"], min_dist=p["minDistance"], **ring),
    )
    deviation = consolidate_result(subject.run(StdDevUDF(), roi=None, corrections=None))
    udf = analysis.get_cluster_udf(deviation)
    found = subject.run(udf, roi=None, corrections=None)
    labels = analysis.get_udf_results(found, roi=None, damage=True)["intensity"].raw_data
    pixels = np.argwhere(udf.params.mask_factories().todense())
    return {
        "labels": in_order(labels, subject.nav),
        "deviation": deviation["std"].data,
        "features": found["intensity"].data,
        "pixels": pixels[:, 1:].astype(float),
    }


WORDS = {"maxima": maxima, "ward": ward, "cluster": cluster}
