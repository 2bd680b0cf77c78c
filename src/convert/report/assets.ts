/** Style and script of the report. Both are allowed in the page by their digests alone, and nothing else is. */

export const STYLE = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2128; --soft: #5b6470; --line: #d9dee4; --card: #f5f7f9; --mark: #ffe28a;
  --ok: #1a7f37; --warn: #9a6700; --fail: #c62828; --grey: #5b6470; --refused: #8a3ab9; --accent: #0b5cad; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181d; --ink: #e4e8ec; --soft: #9aa5b1; --line: #333b45; --card: #1d232a;
  --mark: #6b5200; --ok: #4cc26a; --warn: #e3b341; --fail: #ff7b72; --grey: #9aa5b1; --refused: #d2a8ff; --accent: #79b8ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .25rem 0; } .soft { color: var(--soft); }
.totals { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: 1.25rem 0; padding: 0; list-style: none; }
.totals li { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; }
.totals b { display: block; font-size: 1.35rem; font-variant-numeric: tabular-nums; }
.bar { display: flex; height: .6rem; border-radius: .3rem; overflow: hidden; }
.bar i { flex: 1; }
.tools { display: none; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: 1rem 0 .5rem; }
.scripted .tools { display: flex; }
.tools input[type=search] { flex: 1 1 14rem; } .tools label { white-space: nowrap; }
input[type=search], select { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .35rem; padding: .3rem .5rem; }
details.doc { border: 1px solid var(--line); border-radius: .5rem; margin: .35rem 0; content-visibility: auto; contain-intrinsic-size: auto 3rem; }
details.doc[open] { background: var(--card); }
summary { cursor: pointer; padding: .5rem .75rem; display: grid; grid-template-columns: 7.5rem 1fr auto; gap: .75rem; align-items: baseline; }
summary:focus-visible, input:focus-visible, select:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.name { overflow-wrap: anywhere; } .name small { color: var(--soft); display: block; }
.figure { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
.status { font-weight: 600; } .status::before { content: "●"; margin-right: .4em; }
.ok { color: var(--ok); } .warn { color: var(--warn); } .fail, .timed-out { color: var(--fail); } .refused { color: var(--refused); } .unverifiable { color: var(--grey); }
.bar .ok { background: var(--ok); } .bar .warn { background: var(--warn); } .bar .fail, .bar .timed-out { background: var(--fail); }
.bar .refused { background: var(--refused); } .bar .unverifiable { background: var(--grey); }
.body { padding: 0 .75rem .75rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; margin: .5rem 0; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .9rem .2rem 0; text-align: right; } th:first-child, td:first-child { text-align: left; } th { font-weight: 600; color: var(--soft); }
ul.places { padding-left: 1.1rem; margin: .25rem 0; } ul.places li { margin: .3rem 0; }
mark { background: var(--mark); color: inherit; border-radius: .2rem; padding: 0 .15em; }
[hidden] { display: none !important; }
@media (max-width: 40rem) { summary { grid-template-columns: 1fr auto; } .name { grid-row: 2; grid-column: 1 / -1; } }
@media print { .tools { display: none !important; } details.doc { break-inside: avoid; } }
`;

export const SCRIPT = `
"use strict";
(() => {
  const list = document.getElementById("documents");
  const documents = [...list.children];
  const text = document.getElementById("filter");
  const boxes = [...document.querySelectorAll("input[name=status]")];
  const order = document.getElementById("order");
  const count = document.getElementById("count");
  const orders = {
    worst: (a, b) => a.dataset.rank - b.dataset.rank,
    path: (a, b) => (a.dataset.path < b.dataset.path ? -1 : 1),
    coverage: (a, b) => a.dataset.coverage - b.dataset.coverage,
    lost: (a, b) => b.dataset.lost - a.dataset.lost,
  };
  const show = () => {
    const wanted = text.value.toLowerCase();
    const statuses = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let shown = 0;
    for (const each of documents) {
      each.hidden = !statuses.has(each.dataset.status) || !each.firstElementChild.textContent.toLowerCase().includes(wanted);
      if (!each.hidden) shown++;
    }
    count.textContent = shown + " of " + documents.length + " shown";
  };
  text.addEventListener("input", show);
  for (const box of boxes) box.addEventListener("change", show);
  order.addEventListener("change", () => list.append(...documents.sort(orders[order.value])));
  document.documentElement.classList.add("scripted");
  show();
})();
`;
