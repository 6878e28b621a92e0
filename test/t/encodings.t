#!/bin/bash
# Databases of encodings with characters that UTF-8 lacks: releases over time and reports are made. An error of the server's
# conversion would hold bytes of a cell.
. test/t/tap.sh

# in_encoding NAME ENCODING CHARACTER: a table with that character in each column, as an SQL expression.
in_encoding() {
  PGDATABASE=postgres value "DROP DATABASE IF EXISTS $1" -c "CREATE DATABASE $1 ENCODING '$2' LOCALE 'C' TEMPLATE template0"
  export PGDATABASE=$1
  value 'CREATE EXTENSION anonkit' -c "CREATE TABLE odd AS SELECT i || $3 AS id, i % 20 AS age, i % 3 || $3 AS city,
    i % 5 || $3 AS illness FROM generate_series(1, 100) AS i"
}

publishes_and_reports() {
  is "$1: a release over time, by a key, a quasi-identifier and a sensitive column with the character" "$(value "SELECT rows
    FROM anon_publish('kept', 'odd', '{age,city}', 5, sensitive => '{illness}', l => 2, key => '{id}')")" 100
  is "$1: it is refreshed" "$(value "DELETE FROM odd WHERE age = 7" -c "SELECT rows > 90 FROM anon_refresh('kept')")" t
  is "$1: equal texts are one key" \
    "$(value "SELECT anon_publish('twice', 'odd', '{age}', 5, key => '{city}')" | grep -c 'the key is not unique')" 1
  is "$1: its report" "$(value "SELECT anon_report('kept', internal => true) LIKE '<!%'")" t
}

in_encoding encoding_win WIN1252 'chr(129)' >/dev/null
publishes_and_reports WIN1252
in_encoding encoding_bytes SQL_ASCII "convert_from('\\xc328', 'SQL_ASCII')" >/dev/null
publishes_and_reports SQL_ASCII
in_encoding encoding_latin LATIN1 'chr(233)' >/dev/null
publishes_and_reports LATIN1
for database in encoding_win encoding_bytes encoding_latin; do PGDATABASE=postgres value "DROP DATABASE $database"; done
done_testing
