/** The style of a page. No script, font or image is loaded. */
export const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--card:#f6f8fa;--ink:#1f2328;--soft:#57606a;--line:#d0d7de;--grid:#eaeef2;--good:#1a7f37;--bad:#cf222e;--warn:#9a6700;--blue:#0969da;--violet:#8250df;--step:#afb8c1}
@media(prefers-color-scheme:dark){:root{--paper:#0d1117;--card:#161b22;--ink:#e6edf3;--soft:#9198a1;--line:#3d444d;--grid:#21262d;--good:#3fb950;--bad:#f85149;--warn:#d29922;--blue:#58a6ff;--violet:#bc8cff;--step:#656c76}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif;overflow-wrap:break-word}
main,header{max-width:1280px;margin:0 auto;padding:0 24px}
header{padding-top:28px}
h1{font-size:26px;margin:0 0 4px}
h2{font-size:18px;display:inline;margin:0}
h3{font-size:14px;margin:22px 0 6px;text-transform:uppercase;letter-spacing:.05em;color:var(--soft)}
h4{font-size:14px;margin:0}
p{margin:6px 0}
code,.mono{font:13px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
a{color:var(--blue)}
pre{overflow:auto;max-height:480px}pre code{overflow-wrap:normal}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:4px 12px 4px 0;border-bottom:1px solid var(--grid);vertical-align:top}
th{font-weight:600;color:var(--soft);font-size:13px}
td.number{font-variant-numeric:tabular-nums;white-space:nowrap}
.soft{color:var(--soft)}
.passed,.met-text{color:var(--good)}
.failed,.stuck,.crashed,.unmet-text{color:var(--bad)}
.badge{font-weight:600;white-space:nowrap}
.scenario{border:1px solid var(--line);border-radius:8px;margin:20px 0;background:var(--card)}
.scenario>summary{padding:12px 18px;cursor:pointer}
.scenario>.inside{padding:0 18px 18px}
.box{background:var(--paper);border:1px solid var(--line);border-radius:6px;padding:10px 12px;margin:12px 0}
.box.failing{border-left:4px solid var(--bad)}
.box summary{cursor:pointer;color:var(--blue);font-size:13px;margin-top:4px}
.verdicts{list-style:none;padding:0;margin:0}
.verdicts li{padding:2px 0}
.verdicts ul{margin:2px 0 6px;padding-left:34px}
.around{max-height:480px;overflow:auto}
.around tr.at td{border-bottom:2px solid var(--bad)}
.box>details:not([open]){display:inline-block;margin-right:20px}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;font-size:13px;color:var(--soft);margin:6px 0}
.legend svg{vertical-align:-2px;margin-right:5px}
.picture{display:block;width:100%;height:auto;font-family:system-ui,sans-serif}
.name{fill:var(--soft)}.axis{stroke:var(--soft)}.grid{stroke:var(--grid)}
.fault{fill:var(--bad)}.fault-name{fill:var(--bad);font-weight:600}
.step{fill:var(--step)}.step-name{fill:var(--ink)}
.off{fill:#6e7781}.offline,.down{fill:#cf222e}.connecting{fill:#bf8700}.connected{fill:#218bff}.ready,.up{fill:#2da44e}
.depth{fill:var(--blue)}.depth-line{stroke:var(--blue);stroke-width:1.5}.peak{fill:var(--blue)}
.c2xx,.c3xx{fill:#2da44e}.c4xx{fill:#bf8700}.c5xx{fill:#cf222e}.cnone{fill:var(--ink)}.copen{fill:#8c959f}
.on-band,.on-call{fill:#0d1117;font-size:10.5px}.on-call.c5xx{fill:#fff}.on-call.cnone{fill:var(--paper)}
.over-band,.beside{fill:var(--soft);font-size:10.5px}.beside{fill:var(--ink)}.t-offline,.t-down{fill:var(--bad)}.t-connecting{fill:var(--warn)}
.unknown{fill:var(--soft)}
.message{fill:var(--violet)}.act{fill:var(--soft)}.refused{fill:#bc4c00}
.met{stroke:var(--good)}.unmet{stroke:var(--bad)}
.heat{overflow-x:auto}.heat table{width:auto;font-size:12px}
.heat th,.heat td{padding:2px 6px;border:1px solid var(--line);white-space:nowrap}.heat td{text-align:right;font-variant-numeric:tabular-nums}
.heat thead th{writing-mode:vertical-rl;transform:rotate(180deg)}
.heat-0{color:var(--soft)}.heat-1{background:#0969da26}.heat-2{background:#0969da4d}.heat-3{background:#0969da80}.heat-4{background:#0969dab3}
@media(max-width:720px){main,header{padding:0 12px}.scenario>.inside{padding:0 10px 12px}.verdicts ul{padding-left:16px}.contents tr{display:flex;flex-wrap:wrap;gap:0 14px;padding:6px 0;border-bottom:1px solid var(--grid)}.contents tr:first-child{display:none}.contents td{border:0;padding:0;max-width:100%}.contents td[data-name]::before{content:attr(data-name) " ";color:var(--soft)}}
@media print{.scenario{break-inside:avoid}}
`;

/** The hash by which a page allows only its own style: SHA-256 of STYLE in base64. */
export const STYLE_HASH = 'sha256-Hl6W8QjBQ3iDL/UjlO1MOHaLuceqQJJCafzVd+7EsYI=';
