# Generated tables and processor time, for the benchmarks in SQL. Sourced; used with a cluster.

query() { psql -X -q -v ON_ERROR_STOP=1 -At "$@"; }

# A normal number.
NORMAL='sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())'

# create_table NAME QUERY: the same numbers each time.
create_table() {
  query <<SQL
DO \$\$ BEGIN PERFORM setseed(0.5); END \$\$;
CREATE TABLE $1 AS $2;
VACUUM ANALYZE $1;
SQL
}

# A table of n records x d columns from three latent factors, with heavy tails for d > 2.
make_table() {
  local name=$1 n=$2 d=$3 columns= j
  for ((j = 1; j <= d; j++)); do
    columns+=", (l1 * sin($j) + l2 * cos($j) + l3 * sin(3 * $j) + 0.3 * $NORMAL)::float8 AS c$j"
  done
  create_table "$name" "SELECT i AS id$columns FROM (SELECT i, $NORMAL AS l1, $NORMAL AS l2, $NORMAL AS l3
    FROM generate_series(1, $n) AS i) AS latent"
}

# Persons of some regions, with labels and a diagnosis that follows age.
make_mixed() {
  create_table "$1" "SELECT i AS id, least(90, 17 + floor(-20 * ln(1 - random()) + 10 * random()))::int AS age,
    (10 * floor(random() * 10) + floor(4 * random() * random()))::int AS hours, (ARRAY['f', 'm'])[1 + floor(2 * random())::int] AS sex,
    'w' || floor(8 * random() * random())::int AS work, 'm' || floor(6 * random())::int AS marital,
    'r' || floor(12 * random() * random() * random())::int AS region, 'd' || floor(9 * random())::int AS diagnosis
    FROM generate_series(1, $2) AS i"
}

# make_nine NAME ROWS PEOPLE NUMBERS: such persons, with three numbers in steps of a tenth, and the two tables that they come from.
make_nine() {
  make_mixed "$3" "$2"
  make_table "$4" "$2" 3
  create_table "$1" "SELECT p.*, round(n.c1::numeric, 1)::float8 AS c1, round(n.c2::numeric, 1)::float8 AS c2, (10 * n.c3)::int AS c3
    FROM $3 AS p JOIN $4 AS n USING (id)"
}

# make_labels NAME ROWS: a number c1 and labels c2 to c8, skewed and independent, of as many values as columns of Adult.
make_labels() {
  local columns= j=2 values
  for values in 16 7 5 2 8 41 2; do
    columns+=", 'v' || floor($values * power(random(), 3))::int AS c$((j++))"
  done
  create_table "$1" "SELECT i AS id, floor(74 * power(random(), 3))::int AS c1$columns FROM generate_series(1, $2) AS i"
}

columns() { seq -s, -f 'c%g' 1 "$1"; }

# processor STATEMENT...: the backend's processor time for the last of the statements, of one session.
processor() {
  local statements=("${@:1:$#-1}") statement
  { printf 'SET client_min_messages = warning;\n'
    for statement in "${statements[@]}"; do printf '%s;\n' "$statement"; done
    printf 'SELECT processor() AS before \\gset\n%s \\g /dev/null\nSELECT round((processor() - :before)::numeric, 2);\n' "${!#}"; } |
    query | tail -n 1
}

# seconds STATEMENT...: how long the last of the statements takes, of one session.
seconds() {
  local statements=("${@:1:$#-1}") statement
  { for statement in "${statements[@]}"; do printf '%s;\n' "$statement"; done
    printf '\\timing on\n%s;\n' "${!#}"; } |
    query | sed -n 's/^Time: \([0-9.]*\) ms.*/\1/p' | tail -n 1 | awk '{ printf "%.3f", $1 / 1000 }'
}

# terms D TEMPLATE SEPARATOR: the template for each column's number, which is & in it.
terms() { seq 1 "$1" | sed "s|.*|$2|" | paste -sd "$3"; }

# create_extension: the extension, and the processor time of a session so far.
create_extension() {
  query -c 'CREATE EXTENSION anonkit' -c "CREATE FUNCTION processor() RETURNS float8 LANGUAGE sql AS \$\$
    SELECT (split_part(stat, ' ', 14)::int + split_part(stat, ' ', 15)::int) / 100.0 FROM pg_read_file('/proc/self/stat') AS stat \$\$"
}
