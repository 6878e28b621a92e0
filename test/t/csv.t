#!/bin/bash
# demo.sh on a CSV file: names verbatim, types by trial, one clear message for a bad file.
. test/t/tap.sh
. scripts/say.sh
. scripts/csv.sh
fresh_database csv_t
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# load TEXT: makes a file of it (with printf's escapes) and the table t.
load() {
  value 'DROP TABLE IF EXISTS t, csv_text' >/dev/null
  printf "$1" >"$folder/t.csv"
  (load_csv "$folder/t.csv" t) 2>&1
}

types() {
  value "SELECT string_agg(attname || ' ' || format_type(atttypid, NULL), ', ' ORDER BY attnum)
    FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0"
}

# type VALUES: the type of a column of these values, in a file that begins with another column.
type_of() {
  load "id${2:-,}c\n$(printf '%s\n' "$1" | tr '|' '\n' | sed "s/^/1${2:-,}/")\n"
  value "SELECT pg_typeof(c) FROM t LIMIT 1"
}

is "integers" "$(type_of '1|-2|+3|0')" integer
is "an integer too large for four bytes" "$(type_of '1|3000000000')" bigint
is "an integer too large for eight bytes" "$(type_of '1|99999999999999999999')" numeric
is "decimals" "$(type_of '1|2.5|-.5|1e3')" numeric
is "decimal commas between semicolons" "$(type_of '1|2,5|-3,25' ';')" numeric
is "a number with a leading zero is a code" "$(type_of '10115|02139')" text
is "dates" "$(type_of '2020-01-31|1999-12-01')" date
is "dates, American" "$(type_of '01/31/2020|12/01/1999')" date
is "no such day" "$(type_of '2020-01-31|2020-02-30')" text
is "timestamps" "$(type_of '2020-01-31 10:30|1999-12-01T08:15:30.5|2020-01-01')" 'timestamp without time zone'
is "words that PostgreSQL would take for a number or a date" "$(type_of 'NaN|infinity')$(type_of 'today|now')" texttext
is "one word among numbers" "$(type_of '1|2|unknown')" text
is "nothing but empty fields" "$(type_of '|')" text

load 'd\n31.12.2020\n01.02.2021\n' >/dev/null
is "dates with dots are day.month.year" "$(value "SELECT string_agg(d::text, ' ') FROM t")" '2020-12-31 2021-02-01'
load 'a,d\n1,25/12/2020\n2,01/02/2021\n' >/dev/null
is "dates that can only be day/month/year" "$(value "SELECT string_agg(d::text, ' ') FROM t")" '2020-12-25 2021-02-01'

load 'a;b\tc;d\n1;x;2\n' >/dev/null
is "semicolons" "$(types)" $'a integer, b\tc text, d integer'
load 'a\tb\n1\tx,y\n' >/dev/null
is "tabs" "$(types)" 'a integer, b text'
load '\xef\xbb\xbfa,b\r\n1,"x, ""y"""\r\n,""\r\n' >/dev/null
is "a byte order mark, line ends of two characters, quotes" "$(value 'SELECT a, b FROM t WHERE a = 1')" '1|x, "y"'
is "an empty field is null, quoted or not" "$(value 'SELECT count(*) FROM t WHERE a IS NULL AND b IS NULL')" 1
load '"b"" c","x""; DROP TABLE t; --","a"",""b",select\n1,2,3,4\n' >/dev/null
is "names are taken as they are" "$(value "SELECT count(*) FROM pg_attribute WHERE attrelid = 't'::regclass
  AND attname IN ('x\"; DROP TABLE t; --', 'a\",\"b', 'select')")" 3
printf 'a,b\n1,2\n3,4\n' | gzip >"$folder/z.csv.gz"
value 'DROP TABLE t' >/dev/null
(load_csv "$folder/z.csv.gz" t)
is "gzipped" "$(value 'SELECT sum(a + b) FROM t')" 10
load 'a,b\n1,2' >/dev/null
is "no line end at the end" "$(value 'SELECT a + b FROM t')" 3

like "no file" "$(load_csv "$folder/none.csv" t 2>&1)" 'there is no file .*/none.csv'
like "an empty file" "$(load '')" 'is empty'
like "a column twice" "$(load 'a,b,a\n1,2,3\n')" 'names column "a" twice'
like "a column without a name" "$(load 'a,,b\n1,2,3\n')" 'column 2 of the header has no name'
like "a quote without an end" "$(load 'a,"b\n1,2\n')" 'does not end on its line'
like "a line with a field too many" "$(load 'a,b\n1,2\n1,2,3\n')" 'line 3.*is no proper CSV file'
like "not UTF-8" "$(load 'a,b\n1,\xe9\n')" 'is not UTF-8; if it is in Latin-1, convert it: iconv -f LATIN1 -t UTF-8'
done_testing
