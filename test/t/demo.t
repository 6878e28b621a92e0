#!/bin/bash
# demo.sh, as a newcomer runs it.
. test/t/tap.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset PGHOST PGUSER PGDATABASE

output=$(./demo.sh 2>&1)
is "the demo succeeds" $? 0
like "it says what is left to compile" "$output" 'compiling [0-9]+ files with [0-9]+ processes: about [0-9]+ minutes|everything is compiled'
# Its output from the first table on, except progress that depends on the clock.
shown() { sed -n '/^== The original/,$p' | grep -v '^NOTICE:  anonkit: ' | sed 's/ *$//' | cat -s; }
is "docs/tutorial.md shows its output" "$(shown <<<"$output")" "$(sed -n '/^```console$/,/^```$/p' docs/tutorial.md | sed '1d; $d')"
like "it ends with the promise, its cost and the next step" "$output" $'In three lines\n   Promised and proved: [^\n]*\n   Cost: [^\n]*\n   Next step: [^\n]*$'
like "an identifier is pointed out" "$output" '"ssn": unique to every row'
like "it shows the original" "$output" 'Mina Barnes'
like "it shows what the release achieves" "$output" 'k-anonymity +\| +\| +1 \| +5'
like "it shows the loss" "$output" 'loss +\| +[0-9]+[.][0-9]+'
ok "no name and no ssn leaves with the release" \
  test -z "$(printf '%s\n' "$output" | sed -n '/FROM discharges_public LIMIT/,/^== /p' | grep -E '900-|Barnes')"
ok "its cluster is gone" test ! -e "$(printf '%s\n' "$output" | sed -n 's/.* in \(.*\), run by.*/\1/p')"

# A file with awkward names, of 30 people.
{
  printf 'full name;"b"" c";Born on;salary\n'
  for i in $(seq 30); do printf 'P%d;%d,5;%02d.0%d.1980;%d\n' "$i" $((i * i % 97)) $((i % 28 + 1)) $((i % 9 + 1)) $((i * 100)); done
} >"$folder/My people.csv"
output=$(cd "$folder" && "$OLDPWD/demo.sh" 'My people.csv' '"b"" c",Born on' 3 salary 2>&1)
is "the demo of a file succeeds" $? 0
like "what is compiled is reused" "$output" 'everything is compiled'
is "so nothing is compiled again" "$(grep -c -- ' -c -o build/pgxs/' build/log/make.log)" 0
like "its types are found" "$output" 'b" c +\| numeric.*Born on +\| date.*salary +\| integer'
like "its release is 3-anonymous" "$output" 'my_people_public.*k-anonymity +\| +\| +1 \| +[3-5]'

# A wide file with unknowns and intervals.
{
  printf 'id,age_group,job,score,income,%s\n' "$(printf 'c%d,' {1..20} | sed 's/,$//')"
  for i in $(seq 60); do
    printf '%d,[%d-%d),%s,%s,%d,%s\n' "$i" $((i % 6 * 10)) $((i % 6 * 10 + 10)) "$([ $((i % 7)) = 0 ] && echo '?' || echo "j$((i % 3))")" \
      "$([ $((i % 11)) = 0 ] && echo '?' || echo "$i")" $((i * 37 % 50)) "$(printf "%.0s$i," {1..20} | sed 's/,$//')"
  done | sed 's/\(\[[0-9-]*)\)/"\1"/'
} >"$folder/wide.csv"
output=$(./demo.sh "$folder/wide.csv" income,age_group 4 job 2>&1)
is "the demo of a wide file succeeds" $? 0
like "unknowns are pointed out" "$output" '"job": 8 of its texts look like nulls.*they count as one category more'
like "among numbers they are to be emptied" "$output" '"score": 5 of its texts look like nulls.*empty these fields, and it loads as numbers'
like "what is not shown of the advice is counted" "$output" 'and [0-9]+ more lines, about columns further right'
like "so are intervals" "$output" "\"age_group\": its texts are intervals, which have an order; say so with ordered => '\{age_group\}'"
like "and identifiers" "$output" '"id": unique to every row'
is "nothing wraps" "$(sed -n '/^== Load/,$p' <<<"$output" | grep -cE '\| +c[0-9]+ |^ c20 ')" 0
like "which is said" "$output" 'and 22 other columns, which stay unpublished'
is "no level that nothing improved" "$(grep -cE '^ (p-sensitivity|distinct).*\| +1 \| +1$' <<<"$output")" 0

refused() {
  output=$(./demo.sh "${@:3}" 2>&1)
  is "$1: refused" $? 1
  like "$1: a clear message" "$output" "$2"
}
refused "no such file" 'there is no file .*none.csv' none.csv a 2
refused "no such column" 'no column "age"; it has: "full name"' "$folder/My people.csv" age 2
refused "k = 0" 'K must be a whole number' "$folder/My people.csv" salary 0
refused "too few arguments" 'usage:' "$folder/My people.csv"

output=$(./demo.sh --keep "$folder/My people.csv" '"b"" c",Born on' 3 salary 2>&1)
psql=$(printf '%s\n' "$output" | sed -n 's/^ *\(.*bin\/psql .*\)$/\1/p')
is "--keep: the printed psql command works" "$($psql -X -At -c 'SELECT count(*) FROM my_people_public')" 30
stop=$(printf '%s\n' "$output" | sed -n 's/^ *\(.*pg_ctl stop .*\)$/\1/p')
ok "--keep: the printed command ends it" bash -c "cd / && $stop"
done_testing
