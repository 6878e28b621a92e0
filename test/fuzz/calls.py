#!/usr/bin/env python3
"""Random calls of all of anonkit's functions against the server that PGHOST names.

    calls.py --calls N [--seed S] [--only TABLE]

Each table has its own random numbers, from the seed and its number, so that --only repeats one table alone. What a
call must do: succeed, and then a recount in plain SQL agrees, or raise an error that says what is wrong. A dead
backend, an internal error, a broken promise and an error of a class that no user can act on are reported, with the
call; then the status is 1.
"""

import argparse
import collections
import json
import random
import re
import subprocess
import sys
import time

from arguments import METHODS, PROMISES, Arguments
from tables import NUMERIC, RANGES, Table, array, identifier, literal

CALLS_PER_TABLE = 60
# Errors that a user can correct: data (but not by a slip of ours), names and types, privileges, state, limits, a
# broken promise, a timeout.
STATED = re.compile(r"^(22(?!012|P0[1-6])...|0A000|23514|42501|42703|42704|42P01|42P07|42809|42804|42846|428C9|42602"
                    r"|42702|42701|42622|42P17|42P16|2BP01|3F000|53200|53400|54...|55000|55006|57014|44000)$")
# PostgreSQL's own errors of the call itself, before any of our code runs.
OF_THE_CALL = re.compile(r"^(42883|42725|42601|42P18|22P02|22P03|2200[0-9A-Z]|2202E|42P02|42P10|42P21|42P22)$")

Function = collections.namedtuple("Function", "name names types required result oid variadic")


def columns_of(*options):
    """The columns that options name; nonsense names none."""
    found = set()
    for option in options:
        if isinstance(option, (list, dict)):
            found.update(c for c in option if isinstance(c, str))
    return found


class Crash(Exception):
    pass


class Server:
    """One psql; a new one after a crash."""

    def __init__(self, timeout):
        self.timeout = timeout
        self.start()

    def start(self):
        for _ in range(100):
            self.psql = subprocess.Popen(
                ["psql", "-X", "-q", "-A", "-t", "-F", "\x1f", "-v", "ON_ERROR_STOP=0"], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1 << 16)
            try:
                self.lines("SET client_min_messages = 'error'", f"SET statement_timeout = '{self.timeout}s'",
                           "SET search_path = public, fuzz", "SET anonkit.progress_interval = 0")
                return
            except Crash:
                time.sleep(0.2)
        sys.exit("the server does not come back")

    def lines(self, *statements):
        """What the statements print."""
        try:
            self.psql.stdin.write(";\n".join(statements) + ";\n\\echo \x1e\n")
            self.psql.stdin.flush()
        except BrokenPipeError:
            raise Crash from None
        found = []
        for line in self.psql.stdout:
            if line == "\x1e\n":
                return found
            found.append(line.rstrip("\n"))
        self.psql.wait()
        raise Crash("\n".join(found))


def functions_of(server):
    """The extension's functions, from the catalog: what others add is called, too."""
    rows = server.lines("""
        SELECT p.proname, to_json(p.proargnames), (SELECT json_agg(format_type(t, NULL) ORDER BY nr) FROM
            unnest(p.proargtypes) WITH ORDINALITY AS u(t, nr)), p.pronargs - p.pronargdefaults,
          format_type(p.prorettype, NULL), p.oid, p.provariadic <> 0
        FROM pg_proc AS p JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
        JOIN pg_extension AS e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
        WHERE e.extname = 'anonkit' AND p.prokind = 'f' ORDER BY p.oid""")
    found = []
    for row in rows:
        name, names, types, required, result, oid, variadic = row.split("\x1f")
        types = json.loads(types or "[]")
        names = json.loads(names or "[]")[:len(types)]
        found.append(Function(name, names, types, int(required), result, int(oid), variadic == "t"))
    return found


class Fuzzer:
    def __init__(self, server, seed):
        self.server = server
        self.seed = seed
        self.listed = functions_of(server)
        self.functions = {f.name: f for f in self.listed}
        self.outcomes = collections.Counter()
        self.examples = {}
        self.bad = 0

    # ---- the calls --------------------------------------------------------------------------------

    def hierarchies(self, draw, table):
        """Hierarchies by column, as the builders write them."""
        chosen = {}
        for column in table.columns:
            kind = table.types[column]
            if kind in ("date", "timestamp", "timestamptz"):
                call = draw.choice(["date('{month,year}')", "date('{day,quarter,decade}')"])
            elif kind in NUMERIC:
                call = draw.choice(["range('{5,10,20}')", "range('{1000}')", "range('{1,2}')"])
            else:
                call = draw.choice(["prefix(3)", "prefix(5)"])
            printed = self.server.lines("SELECT anon_hierarchy_" + call)
            if len(printed) == 1 and printed[0].startswith(("{", "[")):
                chosen[column] = json.loads(printed[0])
        return chosen

    def named(self, function, given):
        last = function.names[-1] if function.variadic else None
        return ", ".join(f"{'VARIADIC ' if name == last else ''}{name} => {value}" for name, value in given.items()
                         if name in function.names)

    def typed(self, function, name, value):
        """An option, a JSON value, as SQL of the argument's type."""
        kind = function.types[function.names.index(name)]
        if kind == "jsonb":
            return literal(json.dumps(value)) + "::jsonb"
        if value is None:
            return "NULL"
        if isinstance(value, list):
            if any(isinstance(v, (list, dict)) for v in value):
                return "NULL"
            return "ARRAY[" + ", ".join("NULL" if v is None else literal(str(v)) for v in value) + f"]::{kind}"
        return literal(str(value).lower() if isinstance(value, bool) else str(value)) + "::" + kind

    def look(self, draw, method):
        relation, qi, k, sensitive, keep, options = draw.method_call(method)
        function = self.functions["anon_" + method]
        given = {"tbl": literal(relation), "qi": array(qi), "k": "NULL" if k is None else literal(str(k)),
                 "keep": array(keep)}
        if sensitive:
            given["sensitive"] = array(sensitive)
        given.update({n: self.typed(function, n, v) for n, v in options.items() if n in function.names})
        call = f"CREATE TEMP TABLE looked AS SELECT * FROM {function.name}({self.named(function, given)})"
        return call, self.look_checks(draw.table, relation, method, qi, k, sensitive, options)

    def look_checks(self, table, relation, method, qi, k, sensitive, options):
        if relation != table.name or not qi:
            return []
        checks = [f"SELECT 'rows' WHERE (SELECT count(*) FROM looked) <> (SELECT count(*) FROM {table.name})",
                  "SELECT 'sizes' FROM looked GROUP BY class_id HAVING min(class_size) <> max(class_size) "
                  "OR (class_id IS NOT NULL AND count(*) <> min(class_size))",
                  "SELECT 'source' FROM looked GROUP BY source HAVING count(*) > 1"]
        if method != "aggregate" and options.get("complete", True) is True:
            masked = ", ".join(f"looked.masked->{literal(q)}" for q in qi)
            checks.append(f"SELECT 'k' FROM looked WHERE class_id IS NOT NULL GROUP BY {masked} HAVING count(*) < {k}")
        if options.get("recode") == "range" and method not in ("incognito", "mingen", "datafly", "argus", "topdown"):
            # A number that is a category, and one in an order of its own, is published as a text.
            taken = columns_of(options.get("categories"), options.get("ordered"), options.get("orders"))
            for q in set(qi) - taken:
                kind = RANGES.get(table.types.get(q))
                if kind:
                    checks.append(self.range_check(table, q, kind))
        return checks

    def range_check(self, table, column, kind):
        """Ranges are true of every record. Floats are compared by their shortest exact spelling."""
        cell = f"t.{identifier(column)}"
        if kind == "numrange":
            cell = f"{cell}::text::numeric"
        elif kind == "int4range":
            cell = f"{cell}::int"
        return (f"SELECT 'range' FROM looked JOIN {table.name} AS t ON t.ctid = looked.source "
                f"WHERE NOT (looked.masked->>{literal(column)})::{kind} @> {cell}")

    def publish(self, draw, method):
        """A release, its recount, and sometimes a refresh, a night's changes or an analysis of it."""
        asked = draw.method_call(method)
        relation, qi, k, sensitive, keep, options = asked
        release = draw.random.choice(["fuzz.release"] * 8 + ['fuzz."re lease"', "nowhere.x", "", "pg_catalog.x", "a.b.c.d"])
        over_time = draw.over_time() if relation == draw.table.name else {}
        sql = self.publish_call(draw, method, release, asked, over_time)
        if release != "fuzz.release":
            return sql, []
        checks = []
        if options.get("recode") == "swap":
            # Readers cannot count its classes, and the owner can verify them at any time.
            return sql, ["SELECT 'swap' WHERE anon_assert_swap('fuzz.release') IS NULL"]
        if qi and method != "aggregate":
            checks.append(f"SELECT * FROM recount.broken('fuzz.release', {array(qi)}, {array(sensitive)}, "
                          f"{literal(json.dumps(self.recounted(k, sensitive, options, over_time)))})")
            if not over_time:
                checks += self.release_checks(relation, qi, sensitive, options)
                checks += self.dominance_checks(qi, keep, options)
        if over_time and draw.random.random() < 0.5:
            sql += f"; {draw.table.night()}; SELECT * FROM anon_refresh('fuzz.release')"
        if draw.random.random() < 0.25:
            sql += "; " + self.analysis(draw, relation, qi, sensitive)
        if draw.random.random() < 0.2:
            checks.append("SELECT 'refresh' FROM anon_refresh('fuzz.release') WHERE rows IS NULL")
            checks.append("SELECT 'drop' WHERE anon_drop('fuzz.release') IS NULL")
        return sql, checks

    def publish_call(self, draw, method, release, asked, over_time):
        relation, qi, k, sensitive, keep, options = asked
        function = self.functions["anon_publish"]
        # Options that anon_publish has by name, some of them in both places.
        by_name = {n: v for n, v in options.items() if n in function.names and draw.random.random() < 0.5}
        in_params = {n: v for n, v in options.items() if n not in by_name or draw.random.random() < 0.1}
        by_name.update(over_time)
        if draw.random.random() < (0.5 if options.get("recode") == "swap" else 0.02):
            by_name["class_column"] = draw.option("class_column", sensitive, qi)
        return (f"SELECT * FROM anon_publish({literal(release)}, {literal(relation)}, {array(qi)}, "
                f"{literal(str(k)) if k is not None else 'NULL'}, {literal(method)}, sensitive => {array(sensitive)}, "
                f"keep => {array(keep)}, params => {literal(json.dumps(in_params))}"
                + "".join(f", {n} => {self.typed(function, n, v)}" for n, v in by_name.items()) + ")")

    def recounted(self, k, sensitive, options, over_time):
        """The promises that the plain recount can confirm."""
        promises = {n: v for n, v in options.items() if n in (
            "t", "t_each", "p", "l", "entropy_l", "c", "alpha", "e", "q", "r", "n", "variance_of", "beta", "delta",
            "risk_mean", "risk_above", "risk_threshold", "transparent") and v is not None}
        promises["k"] = k
        # A release over time withholds the values of newcomers whose class would break a promise.
        if over_time:
            promises["transparent"] = True
        # A hierarchical distance is another one; the matrix recounts those. A release over time is close to
        # the distribution of its founders, of which the living are a part.
        if over_time or columns_of(options.get("hierarchies"), options.get("categories")) & set(sensitive or []):
            promises = {n: v for n, v in promises.items() if n not in ("t", "t_each", "n")}
        # Categories have neither the variance nor the range of numbers.
        if columns_of(options.get("categories")) & set(sensitive or []):
            promises.pop("e", None)
            if "q" in promises:
                promises = {"k": k}
        # Shares and distances of persons are not those of rows.
        if options.get("unit"):
            promises = {n: v for n, v in promises.items() if n in ("k", "p", "l", "e", "transparent")}
        return promises

    def release_checks(self, relation, qi, sensitive, options):
        checks = [f"SELECT 'suppressed' FROM anon_release_info('fuzz.release') WHERE rows + suppressed <> "
                  f"(SELECT count(*) FROM {relation}) OR rows <> (SELECT count(*) FROM fuzz.release)"]
        # The audit shares nothing with the search; test/sql/presence.sql and the matrix count in plain SQL.
        if options.get("k_map"):
            checks.append(f"SELECT 'k_map' FROM anon_audit('fuzz.release') WHERE model = 'k-map' AND level < {options['k_map']}")
        presence = options.get("delta_presence")
        if isinstance(presence, list) and len(presence) == 2:
            least, largest = presence
            checks.append("SELECT 'presence' FROM anon_audit('fuzz.release') WHERE (model = 'delta-presence: least' "
                          f"AND level < {least}) OR (model = 'delta-presence: largest' AND level > {largest})")
        if not {"unit", "protected"} & set(options):
            checks.append(f"SELECT 'audit' FROM (SELECT * FROM anon_audit('fuzz.release') EXCEPT SELECT * FROM anon_audit("
                          f"'fuzz.release', {array(qi)}, {array(sensitive)}, {self.audited(options, sensitive)})) AS a")
        return checks

    def dominance_checks(self, qi, keep, options):
        """The share of one person in a class, where the columns of the person are published."""
        unit = options.get("unit")
        named = qi and None not in qi and isinstance(unit, list) and None not in unit
        if not options.get("dominance") or not named or not set(unit) <= set(keep or []):
            return []
        cells = ", ".join(identifier(q) for q in qi)
        persons = ", ".join(identifier(u) for u in unit)
        return [f"SELECT 'dominance' FROM (SELECT count(*) AS n, sum(count(*)) OVER (PARTITION BY {cells}) AS m FROM fuzz.release "
                f"GROUP BY {cells}, {persons}) AS c WHERE n > {options['dominance']} * m"]

    def analysis(self, draw, relation, qi, sensitive):
        """A call about the release at hand: a report, an audit, an attack."""
        function = draw.random.choice([f for f in self.listed if {"release", "rel", "masked", "versions"} & set(f.names[:2])
                                       and f.name not in ("anon_publish", "anon_release", "anon_drop")])
        known = {"qi": array(qi), "sensitive": array(draw.random.choice([sensitive, sensitive, []])),
                 "original": f"{literal(relation)}::regclass", "population": f"{literal(relation)}::regclass",
                 "source": f"{literal(relation)}::regclass", "key": array([draw.table.key] if draw.table.key else []),
                 "versions": "ARRAY['fuzz.release', 'fuzz.release']::regclass[]",
                 **{n: "'fuzz.release'::regclass" for n in ("release", "rel", "masked")}}
        given = {}
        for place, (name, kind) in enumerate(zip(function.names, function.types)):
            if place >= function.required and name not in ("qi", "sensitive") and draw.random.random() < 0.6:
                continue
            if name in known and not draw.is_wild():
                given[name] = known[name]
            elif kind in ("text", "text[]", "jsonb", "boolean", "double precision", "integer", "bigint"):
                given[name] = self.typed(function, name, draw.option(name, sensitive or [], qi or []))
            else:
                given[name] = draw.any_value(name, kind)
        return f"SELECT * FROM {function.name}({self.named(function, given)})"

    def audited(self, options, sensitive):
        """What an audit without columns takes from a release, as arguments."""
        function = self.functions["anon_audit"]
        asked = {n: options.get(n) for n in ("hierarchies", "n", "q", "categories", "population")}
        if options.get("transparent") is True and sensitive and set(options) & set(PROMISES):
            asked["withheld"] = True
        if asked["q"] is not None:
            asked["variance_of"] = options.get("variance_of") or "rare"
        return ", ".join(f"{n} => {self.typed(function, n, v) if v is not None else 'NULL'}" for n, v in asked.items())

    def any_call(self, draw):
        """A function by the catalog alone, every argument drawn by its type or its name."""
        function = draw.random.choice(self.listed)
        given = {}
        for place, (name, kind) in enumerate(zip(function.names, function.types)):
            if place >= function.required and draw.random.random() < 0.6:
                continue
            if name == "method":
                given[name] = literal(draw.random.choice(METHODS))
            elif name == "k":
                given[name] = literal(str(draw.k() or 2))
            elif kind in ("text", "jsonb", "boolean", "double precision", "integer", "bigint", "double precision[]") \
                    and draw.random.random() < 0.8 and name not in ("release", "hierarchy", "spec", "params"):
                value = draw.option(name, draw.table.columns[:1], draw.table.columns[:2])
                given[name] = self.typed(function, name, value)
            else:
                given[name] = draw.any_value(name, kind)
        if function.result == "record" and function.name == "anon_release":
            return f"SELECT * FROM anon_release({self.named(function, given)}) AS x(a text)", []
        return f"SELECT * FROM {function.name}({self.named(function, given)})", []

    def call(self, draw):
        kind = draw.random.random()
        method = draw.random.choice(METHODS)
        if kind < 0.4:
            return self.look(draw, method)
        if kind < 0.75:
            return self.publish(draw, method)
        return self.any_call(draw)

    # ---- the outcomes -----------------------------------------------------------------------------

    def judge(self, sql, outcome, message):
        self.outcomes[outcome] += 1
        self.examples.setdefault((outcome, re.sub(r'"[^"]*"|\d+', "_", message)[:80]), (sql, message))
        if outcome == "ok" or STATED.match(outcome) or OF_THE_CALL.match(outcome):
            return
        self.report(outcome, message, sql)

    def report(self, outcome, message, sql):
        self.bad += 1
        print(f"not ok - table {self.number} of seed {self.seed}: {outcome}: {message}\n  {sql}", flush=True)

    def table(self, number, calls):
        self.number = number
        draw = random.Random(f"{self.seed}/{number}")
        table = Table(draw, number)
        # A value that a type refuses makes a smaller table, not another run.
        self.server.lines(*table.statements())
        arguments = Arguments(draw, table, self.functions, self.hierarchies(draw, table))
        for _ in range(calls):
            sql, checks = self.call(arguments)
            self.one(sql, checks, table)
        self.server.lines("DROP VIEW IF EXISTS fuzz.view", f"DROP TABLE IF EXISTS {table.name} CASCADE")

    def one(self, sql, checks, table):
        statement = f"SELECT outcome, replace(message, E'\\n', ' ') FROM fuzz.try({literal(sql)}, {array(checks)})"
        try:
            printed = "\n".join(self.server.lines(statement)).split("\x1f", 1)
        except Crash as crash:
            self.outcomes["crash"] += 1
            self.report("the backend died", str(crash)[:200], sql)
            self.server.start()
            return
        if len(printed) == 2:
            self.judge(sql, *printed)
        else:
            self.judge(sql, "OTHER", printed[0])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    # Calls and checks of a second take twenty with sanitizers on a busy machine.
    parser.add_argument("--timeout", type=int, default=60, help="seconds for a call and its checks")
    parser.add_argument("--examples", action="store_true", help="show an example of every outcome")
    given = parser.parse_args()
    fuzzer = Fuzzer(Server(given.timeout), given.seed)
    began = time.monotonic()
    numbers = [given.only] if given.only is not None else range((given.calls + CALLS_PER_TABLE - 1) // CALLS_PER_TABLE)
    for number in numbers:
        fuzzer.table(number, CALLS_PER_TABLE)
        if number % 500 == 499:
            print(f"# {sum(fuzzer.outcomes.values())} calls, {fuzzer.bad} bad, "
                  f"{int(time.monotonic() - began)} s", flush=True)
    total = sum(fuzzer.outcomes.values())
    for outcome, times in fuzzer.outcomes.most_common():
        print(f"# {outcome}: {times}")
    if given.examples:
        for (outcome, _), (sql, message) in sorted(fuzzer.examples.items()):
            print(f"# {outcome}: {message}\n#   {sql[:400]}")
    print(f"{'not ok' if fuzzer.bad else 'ok'} - {total} calls in {int(time.monotonic() - began)} s, "
          f"{fuzzer.outcomes['ok']} succeeded, {fuzzer.bad} bad")
    sys.exit(1 if fuzzer.bad or not fuzzer.outcomes["ok"] else 0)


main()
