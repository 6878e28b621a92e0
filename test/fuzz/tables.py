"""Random tables: hostile names, every kind of type, extremes, nulls."""

NAMES = [
    "age", "zip", "Name", "a b", 'say "hi"', "it's", "semi;colon", "--", "$1", "%s", "back\\slash", "{a,b}",
    "class_id", "class_size", "source", "masked", "ctid_", "select", "user", "null", "é", "名前", "a" * 63, "x\ty",
    "r", "o", "t", "tbl", "qi", "k", "_", "*", "a.b", "row", "value", "level", "'); DROP TABLE x; --",
]

INTEGERS = ["0", "1", "-1", "2", "3", "5", "7", "40", "41", "42", "100"]
FLOATS = INTEGERS + ["0.1", "-0.0", "1e-300", "1e300", "2.5", "3.25", "1e15", "123456789.123456789"]
WORDS = ["", "a", "b", "c", "A", "a ", "lung", "stomach", "ärger", "日本", "x" * 50, "NULL", "0", "1.0", "{", '"', "'",
         "\\", "\n", "02139", "02138", "0213*", "*"]

# The values of each type: the usual ones, and the extremes, which are drawn seldom.
VALUES = {
    "int2": (INTEGERS, ["-32768", "32767"]),
    "int4": (INTEGERS, ["-2147483648", "2147483647"]),
    "int8": (INTEGERS, ["-9223372036854775808", "9223372036854775807", "9007199254740993"]),
    "numeric": (FLOATS[:-4] + ["0.10", "1.000"], ["1e500", "-1e-500", "NaN", "Infinity", "-Infinity",
                                                 "12345678901234567890.123456789"]),
    "numeric(20,0)": (INTEGERS, ["99999999999999999999", "-99999999999999999998", "99999999999999999998"]),
    "float4": (FLOATS[:12] + ["2.5"], ["NaN", "Infinity", "-Infinity", "3.4e38", "1e-45"]),
    "float8": (FLOATS, ["NaN", "Infinity", "-Infinity", "1.7e308", "-1.7e308", "5e-324"]),
    "date": (["2000-01-01", "2000-01-02", "1999-12-31", "1970-02-28", "2024-02-29"],
             ["infinity", "-infinity", "4713-01-01 BC", "5874897-12-31"]),
    "timestamp": (["2000-01-01 00:00", "2000-01-01 00:00:00.000001", "1999-12-31 23:59:59.999999", "2020-06-01 12:00"],
                  ["infinity", "-infinity", "4713-01-01 BC", "294276-12-31 23:59:59.999999"]),
    "timestamptz": (["2000-01-01 00:00+00", "2000-06-01 00:00+02", "1999-12-31 23:59:59.999999+00"],
                    ["infinity", "-infinity", "294276-12-31 23:59:59.999999+00"]),
    "text": (WORDS, ["y" * 3000]),
    "varchar(9)": (["", "a", "b", "lung", "ä"], ["123456789"]),
    "char(3)": (["", "a", "b ", "abc"], ["äöü"]),
    "bool": (["true", "false"], ["true"]),
    "fuzz.mood": (["sad", "ok", "happy"], ["happy"]),
    "fuzz.small": (["0", "1", "5", "9"], ["9"]),
    "uuid": (["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
             ["12345678-1234-1234-1234-123456789012"]),
    "inet": (["10.0.0.1", "10.0.0.0/8", "::1"], ["255.255.255.255"]),
    "jsonb": (["{}", '{"a": 1}', "null"], ["[]"]),
    "json": (["{}", '{"a": 1}'], ["[]"]),
    "int4range": (["[1,5)", "empty"], ["(,)"]),
    "int4[]": (["{}", "{1,2}"], ["{NULL}"]),
    "bytea": (["\\x", "\\x00ff"], ["\\xdeadbeef"]),
    "time": (["00:00", "23:59:59.999999"], ["24:00"]),
    "interval": (["1 day", "24 hours", "-1 month"], ["178000000 years"]),
    "point": (["(0,0)", "(1,2)"], ["(NaN,0)"]),
    "money": (["1.00", "-2.50"], ["92233720368547758.07"]),
    "oid": (["0", "1"], ["4294967295"]),
    "xml": (["<a/>"], ["<b/>"]),
}
USUAL = ["int4", "int4", "numeric", "float8", "date", "timestamp", "text", "text", "bool", "fuzz.mood", "int8", "varchar(9)"]
NUMERIC = {"int2", "int4", "int8", "numeric", "numeric(20,0)", "float4", "float8", "date", "timestamp", "timestamptz",
           "fuzz.small"}
MASKABLE = NUMERIC | {"text", "varchar(9)", "char(3)", "bool", "fuzz.mood", "uuid", "inet"}
RANGES = {"int2": "int4range", "int4": "int4range", "int8": "int8range", "numeric": "numrange", "numeric(20,0)": "numrange",
          "float4": "numrange", "float8": "numrange", "date": "daterange", "timestamp": "tsrange",
          "timestamptz": "tstzrange", "fuzz.small": "int4range"}


def literal(text):
    return "NULL" if text is None else "'" + text.replace("'", "''") + "'"


def identifier(name):
    return '"' + name.replace('"', '""') + '"'


def array(names):
    if names is None:
        return "NULL"
    return "ARRAY[" + ", ".join(literal(name) for name in names) + "]::text[]"


class Table:
    """A table with its columns' types by name, and the SQL that makes it."""

    def __init__(self, random, number):
        self.random = random
        self.name = "fuzz." + identifier(random.choice(["t", "T able", 'q"', "t'x", "select"]) + str(number))
        names = random.sample(NAMES, random.choice([1, 2, 3, 4, 5, 6, 7]))
        wild = random.random() < 0.2
        self.types = {name: random.choice(list(VALUES) if wild else USUAL) for name in names}
        self.rows = random.choice([0, 1, 2, 5, 9, 12, 16, 20, 24, 30, 30, 40, 60, 60, 100, 200])
        self.nulls = random.choice([0, 0, 0, 0, 0.1, 0.3, 0.9])
        self.extremes = random.choice([0, 0, 0, 0, 0.05, 0.5])
        self.columns = list(self.types)
        # A column by which records are known again, beside those that are drawn.
        self.key = "record id" if random.random() < 0.5 else None

    def value(self, kind):
        if self.random.random() < self.nulls:
            return None
        usual, extreme = VALUES[kind]
        if self.random.random() < self.extremes:
            return self.random.choice(extreme)
        return self.random.choice(usual)

    def statements(self):
        columns = [f"{identifier(name)} {kind}" for name, kind in self.types.items()]
        if self.key:
            columns.append(f"{identifier(self.key)} serial")
        yield f"CREATE TABLE {self.name} ({', '.join(columns)})"
        if self.rows:
            rows = ", ".join("(" + ", ".join(literal(self.value(kind)) for kind in self.types.values()) + ")"
                             for _ in range(self.rows))
            yield f"INSERT INTO {self.name} ({self.names()}) VALUES {rows}"
        yield f"CREATE VIEW fuzz.view AS SELECT * FROM {self.name}"

    def names(self):
        return ", ".join(identifier(name) for name in self.columns)

    def night(self):
        """What a night changes in a table with a key: every fifth record leaves, every fourth comes in again."""
        key = identifier(self.key)
        return (f"DELETE FROM {self.name} WHERE {key} % 5 = 0; INSERT INTO {self.name} ({self.names()}) "
                f"SELECT {self.names()} FROM {self.name} WHERE {key} % 4 = 0")

    def some(self, most, usable=None):
        """Up to so many columns, of these types if there are any."""
        pool = [c for c in self.columns if usable is None or self.types[c] in usable] or self.columns
        return self.random.sample(pool, min(len(pool), self.random.randint(1, most)))
