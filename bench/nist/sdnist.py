#!/usr/bin/env python3
"""What NIST's own program measures of a release.

    sdnist.py SDNIST TARGET.csv RELEASE.csv...

SDNIST is a checkout of usnistgov/SDNist. Prints, a line each release, the K-marginal and the unique
records of the target that the release has, by SDNist's own classes, on the columns of the release.
Its report, plots and downloads are left out, so only pandas is needed.
"""
import importlib
import json
import pathlib
import sys
import types

import pandas as pd
from pandas._config import config

# pandas before 2.2 downcasts without being asked, and has no option to say so.
if "future.no_silent_downcasting" not in config._registered_options:
    config.register_option("future.no_silent_downcasting", False)

folder = pathlib.Path(sys.argv[1])
acs = folder / "BenchmarkData/ACSDataExcerpts"
# The packages without what they load beside the modules that are used here.
for name in ("sdnist", "sdnist.metrics", "sdnist.report", "sdnist.report.dataset"):
    package = types.ModuleType(name)
    package.__path__ = [str(folder / name.replace(".", "/"))]
    sys.modules[name] = package
load = types.ModuleType("sdnist.load")
load.TestDatasetName = types.SimpleNamespace()
sys.modules["sdnist.load"] = load
sys.modules["sdnist.report.dataset"].Dataset = None
sys.modules["sdnist.utils"] = types.ModuleType("sdnist.utils")
KMarginal = importlib.import_module("sdnist.metrics.kmarginal").KMarginal
bin_data = importlib.import_module("sdnist.report.dataset.binning").bin_data
transform = importlib.import_module("sdnist.report.dataset.transform").transform
unique_exact_matches = importlib.import_module("sdnist.metrics.unique_exact_matches").unique_exact_matches


def dictionary():
    """The data dictionary, with what the schema of the table adds, as SDNist's Dataset merges them."""
    found = json.loads((acs / "data_dictionary.json").read_text())
    for column, said in json.loads((acs / "national/national2019.json").read_text())["schema"].items():
        found[column].update({key: said[key] for key in ("dtype", "has_null", "null_value") if key in said})
        found[column].setdefault("values", {str(value): value for value in said.get("values", [])})
    return found


def measured(target, release, of):
    target, release, _ = transform(target.copy(), release.copy(), of)
    matches = unique_exact_matches(target, release)
    target, release, _ = bin_data(target, release, of)
    return KMarginal(target, release).compute_score(), matches


of = dictionary()
for path in sys.argv[3:]:
    release = pd.read_csv(path, keep_default_na=False)
    target = pd.read_csv(sys.argv[2], keep_default_na=False)[list(release.columns)]
    score, (matched, share, uniques, _) = measured(target, release, of)
    print(f"{path}\t{score:.1f}\t{share:.2f}\t{matched}\t{uniques}")
