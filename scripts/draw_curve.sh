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
awk "$(cat "$(dirname "$0")/plot.awk")"'
  { k[NR] = $1; loss[1, NR] = $2; loss[2, NR] = $3; if ($2 > top) top = $2 }
  function x(v) { return 60 + 520 * v / k[NR] }
  function y(v) { return 260 - 220 * v / top }
  function line(series, colour, name, i, points) {
    for (i = 1; i <= NR; ++i) points = points sprintf("%.1f,%.1f ", x(k[i]), y(loss[series, i]))
    svg_line(points, colour)
    svg_text(x(k[NR]) + 6, y(loss[series, NR]) + 4, "start", colour, name)
  }
  END {
    svg_begin(720, 310, "Information loss over k, for MDAV and for the default method")
    svg_axes(60, 30, 580, 260)
    for (i = 1; i <= NR; ++i)
      if (k[i] % 10 == 0 || k[i] == 2 || k[i] == 5) svg_text(x(k[i]), 280, "middle", "#57606a", k[i])
    for (v = 0; v <= top; v += (top > 5 ? 2 : top > 2 ? 1 : 0.5)) svg_text(52, y(v) + 4, "end", "#57606a", v)
    svg_text(320, 302, "middle", "#24292f", "k: records that share every published combination")
    svg_text(16, 20, "start", "#24292f", "information lost, % (1,000 patients, birth date and weight)")
    line(1, "#9a6700", "MDAV"); line(2, "#0969da", "default")
    print "</svg>"
  }'
