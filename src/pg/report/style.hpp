#pragma once

namespace anonkit::pg {

/// The style sheet of a report, complete, since the page loads nothing. Colours have a contrast of
/// 4.5 to 1 in light and dark mode. On a narrow screen a table has one line per cell.
constexpr char kStyle[] = R"css(
:root { color-scheme: light dark; --page: #fff; --ink: #1a2230; --soft: #55606f; --line: #d4d9e0;
  --panel: #f4f6f9; --before: #9aa7b8; --after: #2566b0; --good: #17693a; --bad: #b02318; --mark: #8a4b00; }
@media (prefers-color-scheme: dark) { :root { --page: #12161c; --ink: #e6eaf0; --soft: #a3afbf;
  --line: #333c49; --panel: #1b212a; --before: #6d7b8e; --after: #6cabf0; --good: #6fce94; --bad: #ff9a8f;
  --mark: #f0b35e; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 56rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 1.2rem 0 .5rem; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem; padding-bottom: .2rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.3rem 0 .3rem; }
p, ul, dl { margin: .5rem 0; }
.class { display: inline-block; margin: 0; padding: .15rem .7rem; border: 2px solid currentColor; font-weight: 700;
  letter-spacing: .04em; }
.internal { color: var(--bad); } .public { color: var(--good); }
.good { color: var(--good); font-weight: 600; } .bad { color: var(--bad); font-weight: 600; }
.high { color: var(--mark); font-weight: 600; } .open { color: var(--soft); font-weight: 600; }
.missing { color: var(--mark); } a { color: var(--after); }
.verdict { font-size: 1.25rem; line-height: 1.35; padding: .7rem .9rem; background: var(--panel); border-left: .35rem solid var(--line); }
.answers { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .8rem; margin: 1rem 0; }
.answer { padding: .2rem .9rem .6rem; border: 1px solid var(--line); }
.answer p { margin: .3rem 0; } .answer h3 { margin-top: .6rem; line-height: 1.3; min-height: 2.6em; } .figure { font-size: 1.5rem; line-height: 1.2; }
.basis, .scale { color: var(--soft); font-size: .85rem; } ul.plain { list-style: none; padding-left: 0; }
#contents ol { columns: 2; margin: 0; padding-left: 1.8rem; } li { margin: 0 0 .4rem; break-inside: avoid; }
table { width: 100%; border-collapse: collapse; margin: .6rem 0 1rem; font-size: .92rem; }
caption { text-align: left; color: var(--soft); padding-bottom: .3rem; }
.clauses caption { color: var(--ink); font-weight: 600; } .clauses th:nth-child(1) { width: 32%; } .clauses th:nth-child(2) { width: 16%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem .35rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; }
.figures th:first-child { width: 34%; } .figures th:nth-child(2) { width: 14%; } .figures td:nth-child(2) { white-space: nowrap; }
dl > div { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 0 1rem; padding: .25rem 0;
  border-bottom: 1px solid var(--line); }
dt { color: var(--soft); } dd { margin: 0; }
code, pre { font-family: ui-monospace, monospace; font-size: .88em; }
pre { background: var(--panel); padding: .8rem; white-space: pre-wrap; }
summary { cursor: pointer; color: var(--soft); }
figure { margin: .6rem 0 1rem; } figcaption { color: var(--soft); font-size: .92rem; }
svg { display: block; width: 100%; height: auto; }
svg.bar { height: .5rem; max-width: 14rem; background: var(--panel); }
svg.gauge { height: .9rem; background: var(--panel); border: 1px solid var(--line); }
svg.gauge line { stroke: var(--ink); stroke-width: 2px; vector-effect: non-scaling-stroke; }
svg text { fill: var(--soft); font: 13px system-ui, sans-serif; } svg line { stroke: var(--soft); }
svg line.grid { stroke: var(--line); }
.before { fill: var(--before); } .after { fill: var(--after); } .within { fill: var(--good); } .above { fill: var(--mark); }
dl.sign dd { min-height: 2.4rem; } #signature { break-inside: avoid; }
footer { margin-top: 2.5rem; color: var(--soft); font-size: .88rem; }
@media (max-width: 40rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, tbody, tr, td, caption { display: block; width: 100%; }
  tr { padding: .4rem 0; border-bottom: 1px solid var(--line); }
  td { display: grid; grid-template-columns: 40% minmax(0, 1fr); gap: 0 .6rem; padding: .1rem 0; border: 0; }
  td::before { content: attr(data-label); color: var(--soft); }
  td > svg.bar { grid-column: 2; }
  dl > div { grid-template-columns: minmax(0, 1fr); }
  svg text { font-size: 24px; } svg text.minor { display: none; } #contents ol { columns: 1; }
  .answer h3 { min-height: 0; } body { overflow-wrap: anywhere; } .figures td:nth-child(2) { white-space: normal; }
}
@page { size: A4; margin: 16mm 16mm 20mm; @bottom-right { content: counter(page) " / " counter(pages); font: 9pt sans-serif; } }
@media print {
  :root { --page: #fff; --ink: #000; --soft: #444; --line: #bbb; --panel: #f2f2f2; --before: #9aa7b8;
    --after: #2566b0; --good: #17693a; --bad: #b02318; --mark: #8a4b00; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  .answers { grid-template-columns: repeat(3, 1fr); } .figure { font-size: 1.25rem; }
  h1, h2, h3, h2 + p, h3 + p, caption, summary { break-after: avoid; } figure, tr, table, article.answer, .verdict, pre { break-inside: avoid; }
  p { orphans: 3; widows: 3; } a { color: inherit; text-decoration: none; }
}
)css";

}  // namespace anonkit::pg
