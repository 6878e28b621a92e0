#pragma once

namespace anonkit::pg {

/// The style of a page to choose by, after that of all pages. Points are radio buttons over the
/// lines of their chart, and a rule of each point shows its section. Browsers without :has() show
/// all sections.
constexpr char kExploreStyle[] = R"css(
body { max-width: 110rem; font-size: 1rem; }
header, footer, #frontier > p { max-width: 56rem; }
main { display: grid; grid-template-columns: minmax(0, 1fr); column-gap: 3rem; }
h4 { font-size: 1rem; margin: 1.3rem 0 .3rem; }
fieldset { border: 0; margin: 1rem 0 0; padding: 0; min-width: 0; } legend, .axis { color: var(--soft); padding: 0; font-size: .92rem; }
.axis { text-align: center; margin-top: 0; }
.plot { position: relative; height: clamp(17rem, 32vw, 34rem); margin: 1rem .9rem 2rem 3.6rem; border: solid var(--soft);
  border-width: 0 0 1px 1px; }
.plot svg { position: absolute; inset: 0; height: 100%; }
.plot polyline { fill: none; stroke: var(--before); stroke-width: 2px; } .plot svg * { vector-effect: non-scaling-stroke; }
.tick { position: absolute; color: var(--soft); font-size: .82rem; line-height: 1; white-space: nowrap; }
.tick.x { top: calc(100% + .4rem); transform: translateX(-50%); } .tick.y { right: calc(100% + .4rem); transform: translateY(50%); }
.marks { position: absolute; display: flex; transform: translate(-.85rem, 50%); } .marks:hover, .marks:focus-within { z-index: 2; }
.mark { position: relative; }
.mark input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; } .mark, .mark input, #points label { cursor: pointer; }
.mark span { display: block; min-width: 1.65rem; padding: 0 .3rem; border: 2px solid var(--after); border-radius: 1rem;
  background: var(--page); color: var(--after); font-size: .8rem; font-weight: 700; line-height: 1.4rem; text-align: center; }
.mark.on span { background: var(--after); color: var(--page); }
.mark input:checked + span { outline: 3px solid var(--mark); outline-offset: 2px; }
.mark input:focus-visible + span { box-shadow: 0 0 0 7px var(--page), 0 0 0 10px var(--ink); }
.series { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; padding: 0; list-style: none; } .series li { margin: 0; min-width: 0; }
.series b { color: var(--after); }
#points table { font-size: .85rem; } #points td:not(:nth-child(2)) { white-space: nowrap; }
#points label { color: var(--after); text-decoration: underline; white-space: nowrap; }
.statement { position: relative; } .statement pre { padding-top: 2.9rem; }
.statement button { position: absolute; top: .5rem; right: .5rem; padding: .3rem .9rem; border: 1px solid var(--soft); background: var(--page);
  color: var(--ink); font: inherit; font-size: .88rem; cursor: pointer; }
@supports selector(:has(a)) { .point { display: none; } }
@media (min-width: 75rem) {
  main { grid-template-columns: repeat(2, minmax(0, 1fr)); grid-template-rows: auto 1fr; }
  #chosen { grid-column: 2; grid-row: 1 / span 2; }
  .point dl > div { grid-template-columns: 11rem minmax(0, 1fr); }
}
@media (min-width: 75rem) and (max-width: 100rem) { #chosen svg text { font-size: 17px; } }
@media (min-width: 150rem) { :root { font-size: 150%; } }
@media (min-width: 220rem) { :root { font-size: 200%; } }
@media print { .statement button { display: none; } }
)css";

/// The one script of the page: a button copies the statement beside it, or selects it where the
/// browser does not let a page write to the clipboard.
constexpr char kExploreScript[] = R"js(
"use strict";
for (const button of document.querySelectorAll(".statement button")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const code = button.parentElement.querySelector("code");
    getSelection().selectAllChildren(code);
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Selected";
    }
  });
}
)js";

}  // namespace anonkit::pg
