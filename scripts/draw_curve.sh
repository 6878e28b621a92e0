#!/bin/bash
# Draws docs/curve.svg: the cost of k. Needs a database with the extension and the table patients of
# docs/tutorial.md (PGHOST, PGDATABASE).
#   scripts/draw_curve.sh >docs/curve.svg
set -euo pipefail

psql -X -q -v ON_ERROR_STOP=1 -At -F ' ' <<'SQL' |
SELECT k, round(max(value) FILTER (WHERE method = 'mdav')::numeric, 4),
  round(max(value) FILTER (WHERE method = 'microaggregate')::numeric, 4)
FROM unnest('{2,3,5,7,10,15,20,30,40,50}'::int[]) AS k, unnest('{mdav,microaggregate}'::text[]) AS method,
  anon_evaluate('patients', '{birth_date,weight}', k, method)
WHERE measure = 'loss'
GROUP BY k ORDER BY k
SQL
awk '
  { k[NR] = $1; loss[1, NR] = $2; loss[2, NR] = $3; if ($2 > top) top = $2 }
  function x(v) { return 60 + 520 * v / k[NR] }
  function y(v) { return 260 - 220 * v / top }
  function line(series, colour, name, i) {
    printf "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour
    for (i = 1; i <= NR; ++i) printf "%.1f,%.1f ", x(k[i]), y(loss[series, i])
    printf "\"/>\n<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%s</text>\n", x(k[NR]) + 6, y(loss[series, NR]) + 4, colour, name
  }
  END {
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 310\" font-family=\"sans-serif\" font-size=\"13\">"
    print "<title>Information loss over k, for MDAV and for the default method</title>"
    print "<rect width=\"720\" height=\"310\" fill=\"#ffffff\"/>"
    print "<path d=\"M60 30V260H580\" fill=\"none\" stroke=\"#57606a\"/>"
    for (i = 1; i <= NR; ++i)
      if (k[i] % 10 == 0 || k[i] == 2 || k[i] == 5)
        printf "<text x=\"%.1f\" y=\"280\" text-anchor=\"middle\" fill=\"#57606a\">%d</text>\n", x(k[i]), k[i]
    for (v = 0; v <= top; v += (top > 5 ? 2 : top > 2 ? 1 : 0.5))
      printf "<text x=\"52\" y=\"%.1f\" text-anchor=\"end\" fill=\"#57606a\">%g</text>\n", y(v) + 4, v
    print "<text x=\"320\" y=\"302\" text-anchor=\"middle\" fill=\"#24292f\">k: records that share every published combination</text>"
    print "<text x=\"16\" y=\"20\" fill=\"#24292f\">information lost, % (1,000 patients, birth date and weight)</text>"
    line(1, "#9a6700", "MDAV"); line(2, "#0969da", "default")
    print "</svg>"
  }'
