#!/bin/bash
# Draws docs/peers.svg from the output of bench/peers/run.sh: time and loss of MDAV over the number of records.
#   scripts/draw_peers.sh <docs/peers.tsv >docs/peers.svg
set -euo pipefail

awk -F '\t' "$(cat "$(dirname "$0")/plot.awk")"'
  function log10(v) { return log(v) / log(10) }
  # Panels stand side by side, one for each number of columns; a row of them has the decades from low to high.
  function x(d, n) { return 60 + 225 * panel[d] + 50 * (log10(n) - 3) }
  function y(v) { return base - 180 * (log10(v) - low) / (high - low) }

  $1 == "mdav" { d = $4; if (!(d in panel)) panel[d] = panels++; value["seconds", d, $5, $3] = $6; value["loss", d, $5, $3] = $7 }

  function line(measure, d, program, colour, dash, n, points, last) {
    for (n = 1000; n <= 1000000; n *= 10)
      if ((measure, d, program, n) in value) {
        last = value[measure, d, program, n]
        points = points sprintf("%.1f,%.1f ", x(d, n), y(last))
      }
    svg_line(points, colour, dash)
  }
  function axes(d, v, n) {
    svg_axes(x(d, 1000), base - 180, x(d, 1000000) + 12, base)
    for (n = 1000; n <= 1000000; n *= 10) svg_text(x(d, n), base + 18, "middle", "#57606a", n < 1000000 ? n / 1000 "k" : n / 1000000 "M")
    for (v = low; v <= high; ++v) svg_text(x(d, 1000) - 6, y(10 ^ v) + 4, "end", "#57606a", 10 ^ v)
  }
  function row(measure, at, first, last, title, d) {
    base = at; low = first; high = last
    svg_text(16, at - 214, "start", "#24292f", title)
    for (d in panel) {
      axes(d)
      svg_text(x(d, 31623), at - 190, "middle", "#24292f", d " columns")
      line(measure, d, "anon_microaggregate", "#0969da", "")
      line(measure, d, "anon_mdav", "#9a6700", "")
      line(measure, d, "sdcMicro", "#cf222e", "6 4")
    }
  }
  function key(at_x, colour, dash, words) {
    svg_line(at_x ",552 " at_x + 26 ",552", colour, dash)
    svg_text(at_x + 32, 556, "start", "#24292f", words)
  }
  END {
    svg_begin(720, 570, "MDAV and the default method beside sdcMicro",
      "Processor time and information loss over the number of records, for 2, 7 and 12 columns; docs/peers.tsv has the figures")
    row("seconds", 244, -3, 2, "processor time, s (k = 5, over the number of records)")
    row("loss", 510, -3, 1, "information lost, % of SST")
    key(60, "#cf222e", "6 4", "sdcMicro, MDAV"); key(250, "#9a6700", "", "anon_mdav"); key(420, "#0969da", "", "anon_microaggregate")
    print "</svg>"
  }'
