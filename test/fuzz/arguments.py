"""Random arguments of anonkit's functions, by the names and types that the catalog has for them."""

import json

from tables import MASKABLE, NUMERIC, WORDS, array, literal

METHODS = ["microaggregate", "mdav", "vmdav", "univariate", "tclose", "kpqr", "psensitive", "aggregate", "mondrian",
           "incognito", "mingen", "datafly", "argus", "topdown"]
ALGORITHMS = {"tclose": ["t_first", "k_first", "merge", "sabre", "best"], "mondrian": ["strict", "relaxed", "best", "grid"],
              "kpqr": ["heuristic", "best"], "psensitive": ["auto", "enhanced", "greedy", "microaggregation", "best"],
              "aggregate": ["greedy", "optimal", "best"]}
CHOICES = {
    "algorithm": [name for names in ALGORITHMS.values() for name in names],
    "standardize": ["zscore", "range", "none"], "recode": ["centroid", "median", "range", "hierarchy", "swap", "calibrated"],
    "refine": ["none", "none", "fast"], "effort": ["fast"], "nulls": ["error", "stratify", "stratify"],
    "variance_of": ["rare", "all"], "metric": ["ncp", "prec", "dm", "avg", "entropy"],
    "guarantee": ["candidates", "identical"], "outward": ["grid"], "domain": ["attribute", "common"],
}
LEVELS = {"t": [0.3, 0.5, 0.8, 1], "p": [1, 2, 2, 3], "l": [1, 2, 2, 3], "entropy_l": [1, 1.2, 1.5, 2], "c": [1, 2, 3, 5],
          "alpha": [0.5, 0.7, 0.9, 1], "e": [1, 2, 1e-3, 86400], "q": [0.1, 0.2, 0.5], "r": [0.1, 0.5], "n": [3, 6, 12],
          "coins": [0.05, 0.5], "cells": [0, 3], "persons": [0, 1], "tries": [2, 5], "gamma": [0.2, 0.5, 1.1], "d": [0, 0.1, 1], "max_suppression": [0, 0.1, 0.5, 1],
          "decoys": [0, 0.1, 0.5], "adapt": [0.01, 0.2, 0.5], "max_withheld": [0.5, 1],
          "refine_seconds": [0.01, 0.1], "seed": [0, 1, 2], "k_f": [2, 3], "block_size": [1, 5, 20],
          "sample": [1, 30, 1000], "beta": [0.5, 1, 2, 10], "delta": [0.5, 1, 3], "dominance": [0.2, 0.5, 0.9, 1],
          "risk_mean": [0.05, 0.2, 0.5, 1], "risk_above": [0.1, 0.3, 0.9, 1], "risk_threshold": [0.09, 0.2, 0.4],
          "k_map": [1, 2, 3, 8]}
CUTS = [{"qi": ["x"], "cuts": 1}, {"qi": ["x"], "cuts": {"column": "x", "at": 1.5, "below": 1, "above": 2}},
        {"qi": ["x", "y"], "cuts": {"column": "y", "at": 1, "below": {"column": "z", "at": 1, "below": 1, "above": 2}}}]
PROMISES = ["t", "t_each", "p", "l", "entropy_l", "c", "alpha", "e", "q", "r", "n", "protected", "beta", "delta"]
# Promises about no sensitive column.
OF_CLASSES = ["dominance", "risk_mean", "risk_above", "risk_threshold", "k_map", "delta_presence"]
PRESENCES = [[0, 1], [0, 0.5], [0.2, 1], [0, 0.9], [0.5, 1], [1, 1]]
TRANSPARENCY = ["transparent", "decoys", "adapt", "max_withheld"]
WILD_NUMBERS = [0, -1, 1e308, -1e308, 5e-324, 2147483647, -2147483648, 9223372036854775807, 0.1, 3, None]
WILD_FLOATS = WILD_NUMBERS + ["NaN", "Infinity", "-Infinity"]
FIRST = {"tbl", "rel", "qi", "k", "sensitive", "keep", "method", "release", "hierarchies"}


class Arguments:
    """Draws arguments for one table. wild is how often one of them is nonsense."""

    def __init__(self, random, table, functions, hierarchies):
        self.random = random
        self.table = table
        self.functions = functions
        self.hierarchies = hierarchies
        self.wild = random.choice([0, 0, 0, 0, 0, 0, 0.02, 0.1, 0.4])

    def is_wild(self):
        return self.random.random() < self.wild

    def columns(self, most, taken=(), usable=None):
        if self.is_wild():
            return self.random.choice([[], None, ["no such column"], [None], self.table.columns[:1] * 2, [""],
                                       self.table.columns, ["ctid"], ["tableoid"]])
        return [c for c in self.table.some(most, usable) if c not in taken]

    def number(self, name):
        if self.is_wild():
            return self.random.choice(WILD_NUMBERS)
        return self.random.choice(LEVELS.get(name, [0, 1, 2, 0.5]))

    def hierarchies_of(self, columns):
        chosen = {c: self.hierarchies[c] for c in columns if c in self.hierarchies and self.random.random() < 0.95}
        if self.is_wild():
            chosen[self.random.choice(self.table.columns)] = self.random.choice(
                [1, None, "nowhere", {"prefix": -1}, {"range": [0]}, {"range": [1, 1.5]}, {"table": "pg_class"},
                 {"date": ["year", "month"]}, {"cuts": [[1, 2], [1.5]]}, {"prefix": 2147483647}, [], {"x": {}}])
        return chosen

    def option(self, name, sensitive, qi):
        """An argument that is no column list, as a JSON value."""
        if self.is_wild():
            return self.random.choice([None, {}, [], "x", 3, -1, True, [1, "a"], {"a": []}, 1e308, "", "NaN"])
        if name in CHOICES:
            return self.random.choice(CHOICES[name])
        if name == "cuts":
            return self.random.choice(CUTS)
        if name == "t_each":
            return [self.random.choice(LEVELS["t"]) for _ in sensitive]
        if name == "weights":
            return [self.random.choice([0, 1, 1, 2, 0.5]) for _ in qi]
        if name == "protected":
            return {c: [self.random.choice(WORDS)] for c in sensitive[:1]}
        if name == "functions":
            return self.random.sample(["sum", "avg", "min", "max"], 2)
        if name == "suppressed":
            return {c: self.random.choice(WORDS + ["*"]) for c in qi[:2]}
        if name == "identifying":
            return [self.random.choice(["identifying", "more", "most"]) for _ in qi]
        if name == "target":
            return self.random.choice(self.table.columns)
        if name == "delta_presence":
            return self.random.choice(PRESENCES)
        if name == "population":
            return self.random.choice([self.table.name, "fuzz.view"])
        if name == "unit":
            return self.table.some(1)
        if name in ("categories", "ordered"):
            return [c for c in qi + (sensitive if name == "categories" else []) if self.random.random() < 0.6]
        if name == "orders":
            return {c: self.random.sample(WORDS, min(len(WORDS), 4)) for c in qi[:1]}
        if name == "widths":
            return {c: self.random.choice([0.5, 1, 2, 7]) for c in qi[:1]}
        if name == "pseudonym":
            return self.table.some(1)
        if name == "class_column":
            return self.random.choice(["class no", "x", "", "ctid", "c" * 70])
        if name == "context":
            return self.random.choice([{}, {"purpose": "x"}, {"controls": ["a", "b"], "review_due": "2999-01-31"},
                                       {"valid_until": "2001-02-03"}, {"valid_until": "2001-02-30"}, {"speed": "x"}])
        if name == "coarsen":
            return {c: {"round": 10, "top": 50} for c in self.table.some(1)}
        if name in ("local_suppression", "complete", "lower_bound", "frontier", "by_column", "transparent", "withheld", "wildcards",
                    "secret_seed", "internal"):
            return self.random.random() < 0.5
        return self.number(name)

    def options(self, names, sensitive, qi):
        """Some of a function's options; what it needs is drawn more often."""
        chosen = {}
        promises = [n for n in names if n in PROMISES]
        for name in self.random.sample(promises, min(len(promises), self.random.choice([0, 1, 1, 2, 3]))):
            chosen[name] = self.option(name, sensitive, qi)
        if "t_each" in chosen and not self.is_wild():
            chosen.pop("t", None)
        if "c" in chosen:
            chosen.setdefault("l", 2)
        if "n" in chosen and not {"t", "t_each"} & set(chosen):
            chosen["t"] = 0.5
        if "q" in chosen or "r" in chosen or "protected" in chosen:
            chosen.setdefault("p", 2)
        if "r" in chosen:
            chosen.setdefault("q", 0.2)
        of_classes = [n for n in names if n in OF_CLASSES]
        if self.random.random() < 0.3:
            for name in self.random.sample(of_classes, min(len(of_classes), self.random.choice([1, 1, 2]))):
                chosen[name] = self.option(name, sensitive, qi)
        self.complete(names, chosen)
        for name in names:
            if name not in PROMISES + OF_CLASSES + TRANSPARENCY + ["population"] and self.random.random() < 0.15:
                chosen[name] = self.option(name, sensitive, qi)
        if "transparent" in names and self.random.random() < 0.3:
            chosen["transparent"] = self.option("transparent", sensitive, qi)
            for name in TRANSPARENCY:
                if self.random.random() < 0.3:
                    chosen[name] = self.option(name, sensitive, qi)
        return chosen

    def complete(self, names, chosen):
        """What promises about classes need: a unit, a share above the threshold, a population."""
        if self.is_wild():
            return
        if "risk_threshold" in chosen:
            chosen.setdefault("risk_above", 0.5)
        if "dominance" in chosen and "unit" in names:
            chosen["unit"] = self.option("unit", [], [])
        if {"k_map", "delta_presence"} & set(chosen):
            chosen["population"] = self.option("population", [], [])

    def needed(self, method, chosen):
        """What a method cannot do without, and an algorithm that it has."""
        if "algorithm" in chosen and not self.is_wild():
            chosen["algorithm"] = self.random.choice(ALGORITHMS.get(method, ["none"]))
        if method == "tclose" and not {"t", "t_each"} & set(chosen):
            chosen["t"] = self.option("t", [], [])
        if method in ("psensitive", "kpqr"):
            chosen.setdefault("p", 2)
        if method == "kpqr":
            chosen.setdefault("q", 0.2)
            chosen.setdefault("r", 0.1)
        return chosen

    def k(self):
        return self.random.choice(WILD_NUMBERS) if self.is_wild() else self.random.choice([1, 2, 2, 3, 3, 4, 5, 8])

    def relation(self):
        if self.is_wild():
            return self.random.choice(["pg_class", "pg_attribute", "fuzz.view", "pg_class_oid_index", "fuzz.empty", None,
                                       "pg_stat_activity"])
        return self.random.choice([self.table.name] * 9 + ["fuzz.view"])

    def method_call(self, method):
        """What a release by this method is asked for: relation, qi, k, sensitive, keep, options."""
        names = self.functions["anon_" + method].names
        numbers = NUMERIC if method in ("aggregate", "univariate") else MASKABLE
        qi = self.columns(1 if method == "univariate" else 3, usable=numbers)
        needy = method in ("tclose", "kpqr", "psensitive")
        sensitive = self.columns(3, taken=qi or ()) if needy or self.random.random() < 0.7 else []
        keep = self.columns(2, taken=(qi or []) + (sensitive or [])) if self.random.random() < 0.2 else []
        options = self.options([n for n in names if n not in FIRST], sensitive or [], qi or [])
        if "hierarchies" in names and (self.random.random() < 0.4 or names.index("hierarchies") < 4):
            options["hierarchies"] = self.hierarchies_of((qi or []) + (sensitive or []))
        # Published persons are counted again.
        unit = [u for u in options.get("unit") or [] if u in self.table.columns] if isinstance(options.get("unit"), list) else []
        if keep is not None and not set(unit) & set(qi or []) and self.random.random() < 0.5:
            keep = keep + [u for u in unit if u not in keep + (sensitive or [])]
        if keep and "pseudonym" in names and self.random.random() < 0.3:
            options["pseudonym"] = keep[:1]
        elif keep and "coarsen" in names and self.random.random() < 0.4:
            options["coarsen"] = {keep[0]: self.random.choice([{"round": 3}, {"top": 5, "bottom": -5}, {"bottom": 2, "round": 0.5}])}
        if not sensitive and not self.is_wild():
            options = {n: v for n, v in options.items() if n not in PROMISES}
        return self.relation(), qi, self.k(), sensitive, keep, self.needed(method, options)

    def over_time(self):
        """The arguments of a release with a key; sometimes, and where the table has one."""
        if not self.table.key or self.random.random() > 0.25:
            return {}
        chosen = {"key": [self.table.key]}
        for name, values in (("max_wait", [0, 1, 14]), ("wait_loss", [0.5, 1, 3]), ("every", [0, 1, 3]), ("weight", [True, False])):
            if self.random.random() < 0.4:
                chosen[name] = self.random.choice(WILD_NUMBERS) if self.is_wild() else self.random.choice(values)
        return chosen

    def any_value(self, name, kind):
        """SQL of an argument of any type, for functions that have no generator of their own."""
        random = self.random
        if name == "suppressed":
            return literal(json.dumps({c: random.choice(WORDS) for c in self.table.columns[:2]})) + "::jsonb"
        if name == "sampling_weight":
            return literal(random.choice(self.table.columns + [None, None, "no such column"])) + "::text"
        if name == "methods":
            return array(random.sample(METHODS, 2))
        if name == "ks":
            return random.choice(["'{2}'", "'{1,3,NULL}'", "'{}'", "'{{2,3},{4,5}}'", "NULL", "'{0,2147483647}'"]) + "::int[]"
        if kind == "regclass":
            return literal(self.relation()) + "::regclass"
        if kind == "text[]":
            return array(self.columns(3))
        if kind == "text":
            return literal(random.choice(WORDS + ["month", "year", None]))
        if kind == "jsonb":
            return literal(json.dumps(random.choice([self.hierarchies_of(self.table.columns)] + list(
                self.hierarchies.values()) + [{}, [], None, 1, "x"]))) + "::jsonb"
        if kind in ("integer", "bigint", "smallint"):
            return f"{int(random.choice([0, 1, 2, 3, 5, -1, 2147483647]))}::{kind}"
        if kind == "numeric[]" or kind == "double precision[]":
            return random.choice(["'{5,10,20}'", "'{1}'", "'{}'", "NULL", "'{NaN}'", "'{10,5}'", "'{0}'", "'{NULL}'"]) + "::" + kind
        if kind in ("double precision", "numeric"):
            return literal(str(random.choice([x for x in WILD_FLOATS if x is not None]))) + "::double precision::" + kind
        if kind == "boolean":
            return random.choice(["true", "false", "NULL"])
        if kind == "anyelement":
            return random.choice(["1", "'x'::text", "date '2000-01-01'", "2.5", "'infinity'::date", "NULL::text", "'NaN'::float8"])
        if kind == "anyarray":
            return random.choice(["'{1,2}'::int[]", "'{a,NULL}'::text[]", "'{}'::numeric[]", "'{2000-01-01}'::date[]",
                                  "'{{1,2},{3,4}}'::int[]", "'[5:6]={1,2}'::int[]"])
        return f"NULL::{kind}"
