#!/bin/bash
# bench/linked.sh [PERSONS]: the loss of linked releases of Berka's bank (the folder berka of ANONKIT_DATA), by k, beside
# that of each table alone and of the rows of their join, and the seconds of a release of a generated hospital, 200,000 persons with 1,200,000 events by default. In a throwaway
# cluster of its own; prints tables and asserts nothing.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
. scripts/say.sh
. scripts/packages.sh
. scripts/extension.sh
. scripts/cluster.sh

sql() { PGOPTIONS='-c client_min_messages=error' psql -X -q -v ON_ERROR_STOP=1 -P footer=off "$@"; }

load() { # TABLE COLUMNS
  sql -c "CREATE TABLE berka.\"$1\" ($(sed 's/,/ text,/g' <<<"$2") text)" \
    -c "\\copy berka.\"$1\" FROM '$ANONKIT_DATA/berka/$1.csv' WITH (FORMAT csv, DELIMITER ';', HEADER)"
}

berka() {
  sql -c 'CREATE SCHEMA berka'
  load account account_id,district_id,frequency,date
  load card card_id,disp_id,type,issued
  load client client_id,birth_number,district_id
  load disp disp_id,client_id,account_id,type
  load loan loan_id,account_id,date,amount,duration,payments,status
  load order order_id,account_id,bank_to,account_to,amount,k_symbol
  load district "$(seq -s, -f 'a%g' 16)"
}

# The owners of accounts; months as numbers, amounts rounded, districts by region.
views() {
  sql <<'SQL'
CREATE SCHEMA bank;
CREATE FUNCTION bank.month(text) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT 12 * left($1, 2)::int + substr($1, 3, 2)::int';
CREATE TABLE bank.owners AS SELECT account_id::int AS owner, CASE WHEN substr(birth_number, 3, 2)::int > 50 THEN 'f' ELSE 'm' END AS gender,
  1900 + left(birth_number, 2)::int AS born, c.district_id AS district FROM berka.disp JOIN berka.client c USING (client_id) WHERE type = 'OWNER';
CREATE TABLE bank.accounts AS SELECT account_id::int AS account, account_id::int AS owner, frequency, bank.month(date) AS opened FROM berka.account;
CREATE TABLE bank.orders AS SELECT account_id::int AS account, bank_to AS bank, k_symbol AS symbol, round(amount::numeric)::int AS amount FROM berka."order";
CREATE TABLE bank.loans AS SELECT account_id::int AS account, bank.month(date) AS granted, amount::int / 100 AS hundreds, duration::int, status FROM berka.loan;
CREATE TABLE bank.cards AS SELECT account_id::int AS account, c.type, bank.month(issued) AS issued FROM berka.card c JOIN berka.disp d USING (disp_id) WHERE d.type = 'OWNER';
CREATE TABLE bank.regions AS SELECT a1 AS district, a3 AS region, '*' AS country FROM berka.district;
ALTER TABLE bank.owners ADD PRIMARY KEY (owner);
ALTER TABLE bank.accounts ADD PRIMARY KEY (account), ADD FOREIGN KEY (owner) REFERENCES bank.owners;
ALTER TABLE bank.orders ADD FOREIGN KEY (account) REFERENCES bank.accounts;
ALTER TABLE bank.loans ADD FOREIGN KEY (account) REFERENCES bank.accounts;
ALTER TABLE bank.cards ADD FOREIGN KEY (account) REFERENCES bank.accounts;
CREATE TABLE public.columns AS SELECT * FROM (VALUES ('owners', 3), ('accounts', 2), ('orders', 3), ('loans', 3), ('cards', 2)) AS c (table_name, columns);
SQL
}

losses() { # K M
  sql -v k="$1" -v m="$2" <<'SQL'
SELECT :k AS k, :'m' AS m, round(sum(loss * (rows + withheld) * columns)::numeric / sum((rows + withheld) * columns), 3) AS loss,
  round(100.0 * sum(withheld) / sum(rows + withheld) FILTER (WHERE table_name <> 'owners'), 2) AS withheld_percent,
  string_agg(format('%s %s', table_name, round(loss::numeric, 3)), ', ') AS of_tables
FROM anon_publish_set(format('bank_%s_%s', :k, :'m'), '{
  "bank.owners": {"qi": ["gender", "born", "district"], "hierarchies": {"district": {"table": "bank.regions"}}},
  "bank.accounts": {"qi": ["frequency", "opened"]}, "bank.orders": {"qi": ["bank", "symbol", "amount"]},
  "bank.loans": {"qi": ["granted", "hundreds", "duration"], "sensitive": ["status"]}, "bank.cards": {"qi": ["type", "issued"]}}', k => :k, m => :'m', beside => 'ignore')
JOIN columns USING (table_name);
SQL
}

# Each table in a release of its own, and the rows of the join of all in one: Mondrian, k persons a class. Neither has
# links. The loss is that of cells with a value: most persons have no loan and no card.
others() { # K
  sql -v k="$1" <<'SQL'
CREATE VIEW bank.joined AS SELECT owner, gender, born, district, frequency, opened, bank, symbol, amount, granted, hundreds, duration, type, issued
FROM bank.owners JOIN bank.accounts a USING (owner) LEFT JOIN bank.orders o USING (account) LEFT JOIN bank.loans l USING (account) LEFT JOIN bank.cards c USING (account);
CREATE TABLE public.singles AS SELECT * FROM (VALUES ('owners', 'owner', '{gender,born,district}'::text[]), ('accounts', 'owner', '{frequency,opened}'),
  ('orders', 'account', '{bank,symbol,amount}'), ('loans', 'account', '{granted,hundreds,duration}'), ('cards', 'account', '{type,issued}'),
  ('joined', 'owner', '{gender,born,district,frequency,opened,bank,symbol,amount,granted,hundreds,duration,type,issued}')) AS s (table_name, person, qi);
CREATE FUNCTION public.cells_of(name text, qi text[]) RETURNS float8 LANGUAGE plpgsql AS $$ DECLARE n float8; BEGIN
  EXECUTE format('SELECT %s FROM bank.%I', (SELECT string_agg(format('count(%I)', q), ' + ') FROM unnest(qi) AS q), name) INTO n;
  RETURN n;
END $$;
SELECT :k AS k, s.table_name, p.smallest_class, round((p.ncp / 100 * p.rows * cardinality(qi) / cells_of(s.table_name, qi))::numeric, 3) AS loss
FROM singles AS s CROSS JOIN LATERAL anon_publish(format('alone_%s_%s', s.table_name, :k), format('bank.%I', s.table_name)::regclass, qi, :k, method => 'mondrian',
  recode => 'hierarchy', unit => ARRAY[person], nulls => CASE s.table_name WHEN 'joined' THEN 'stratify' ELSE 'error' END, beside => 'ignore',
  hierarchies => CASE WHEN 'district' = ANY (qi) THEN '{"district": {"table": "bank.regions"}}'::jsonb END) AS p;
SQL
}

hospital() { # PERSONS
  sql -v n="$1" <<'SQL'
CREATE SCHEMA hospital;
CREATE TABLE hospital.patients AS SELECT i AS id, (ARRAY['f','m'])[1 + (hashint4(i) & 1)] AS sex, 1930 + (hashint4(i + 1) & 63) AS born,
  'r' || (hashint4(i + 2) & 7) AS region FROM generate_series(1, :n) i;
CREATE TABLE hospital.stays AS SELECT i AS stay, 1 + floor((abs(hashint4(i)::float8) / 2147483648) ^ 2 * (:n - 1))::int AS patient,
  (ARRAY['a','b','c'])[1 + abs(hashint4(i + 5)) % 3] AS kind, abs(hashint4(i + 9)) % 30 AS days FROM generate_series(1, 2 * :n) i;
CREATE TABLE hospital.diagnoses AS SELECT i AS nr, 1 + abs(hashint4(i + 3)) % (2 * :n) AS stay,
  chr(65 + abs(hashint4(i + 11)) % 20) || lpad((abs(hashint4(i + 13)) % 40)::text, 2, '0') AS icd FROM generate_series(1, 4 * :n) i;
ALTER TABLE hospital.patients ADD PRIMARY KEY (id);
ALTER TABLE hospital.stays ADD PRIMARY KEY (stay), ADD FOREIGN KEY (patient) REFERENCES hospital.patients;
ALTER TABLE hospital.diagnoses ADD PRIMARY KEY (nr), ADD FOREIGN KEY (stay) REFERENCES hospital.stays;
SQL
}

# Seconds by the clock, and those of all threads of the backend.
publish_hospital() { # M
  sql -v m="$1" <<'SQL'
SELECT pg_backend_pid() AS pid \gset
\setenv BACKEND :pid
SELECT clock_timestamp() AS began \gset
SELECT :'m' AS m, table_name, rows, withheld, round(loss::numeric, 3) AS loss FROM anon_publish_set('hospital_' || :'m', '{
  "hospital.patients": {"qi": ["sex", "born", "region"]}, "hospital.stays": {"qi": ["kind", "days"]},
  "hospital.diagnoses": {"qi": ["icd"], "hierarchies": {"icd": {"prefix": 3}}}}', k => 5, m => :'m', beside => 'ignore');
SELECT round(extract(epoch FROM clock_timestamp() - :'began'::timestamptz), 1) AS seconds;
\! awk -v hertz="$(getconf CLK_TCK)" '{ print "of processor:", ($14 + $15) / hertz }' "/proc/$BACKEND/stat"
SQL
}

start_cluster
sql -c 'CREATE EXTENSION anonkit'
if [ -e "${ANONKIT_DATA:-}/berka" ]; then
  berka
  views
  for k in 3 5 10; do losses "$k" all; done
  for m in 0 1 2 3; do losses 5 "$m"; done
  others 5
else
  echo "skipped: Berka's bank, without ANONKIT_DATA/berka"
fi
hospital "${1:-200000}"
for m in all 2; do publish_hospital "$m"; done
