const light = `
  --back:#f7f8fb; --panel:#fff; --raised:#f0f2f8; --line:#dfe3ed; --ink:#161a26; --soft:#565e76;
  --accent:#4f46e5; --accent-soft:#c9c6fa; --good:#0b7048; --good-soft:#e2f5ec; --wait:#8a5200;
  --wait-soft:#fdf1dc; --bad:#b3261e; --bad-soft:#fdebe9; --info:#1a5fb4; --info-soft:#e6f0fb;
  --passed:#1f9d6b; --failed:#d6473d; --error:#d98a1b; --timeout:#8d6bd1; color-scheme:light;`

const dark = `
  --back:#0e1018; --panel:#161926; --raised:#1f2333; --line:#2b3044; --ink:#eceef7; --soft:#a5adc6;
  --accent:#a9a6ff; --accent-soft:#45438f; --good:#55dca0; --good-soft:#12362a; --wait:#f4b95e;
  --wait-soft:#3a2b12; --bad:#ff938a; --bad-soft:#421c1d; --info:#8fc1ff; --info-soft:#16304f;
  --passed:#3fbf8a; --failed:#f0736a; --error:#e8a74a; --timeout:#b094ee; color-scheme:dark;`

/** All that the page looks like. It names no file and no address. */
export const style = `
:root{${light}
  --sans:system-ui,-apple-system,"Segoe UI","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",
    "WenQuanYi Micro Hei",sans-serif;
  --mono:ui-monospace,"SF Mono","Cascadia Code","Noto Sans Mono CJK SC",monospace}
@media (prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);font:15px/1.55 var(--sans)}
main{max-width:1120px;margin:0 auto;padding:32px 24px 64px}
header{display:flex;flex-wrap:wrap;gap:8px 24px;align-items:flex-end;justify-content:space-between;
  margin-bottom:20px}
.brand{color:var(--accent);font-size:13px;font-weight:600;letter-spacing:.02em}
h1{margin:2px 0 0;font-size:28px;line-height:1.2;letter-spacing:-.01em;overflow-wrap:anywhere}
h2{margin:0 0 2px;font-size:17px;line-height:1.3}
h3{margin:20px 0 6px;font-size:13px;color:var(--soft);font-weight:600}
p{margin:0}
code,pre,.mono{font-family:var(--mono);font-size:13px}
.note{color:var(--soft);font-size:13px}
.panel{background:var(--panel);border:1px solid var(--line);border-radius:14px;padding:20px 22px;
  margin-top:16px}
.facts{display:flex;flex-wrap:wrap;gap:10px 32px;margin:0;font-size:13px}
.facts dt{color:var(--soft)}
.facts dd{margin:0;font-weight:500;overflow-wrap:anywhere}
.warn{background:var(--wait-soft);color:var(--wait);border-color:transparent;padding:12px 18px;
  font-size:14px}
.warn p+p{margin-top:4px}
.top{display:grid;grid-template-columns:minmax(300px,5fr) 7fr;gap:16px;margin-top:16px}
.top .panel{margin:0}
.score{font-size:56px;font-weight:650;line-height:1.05;letter-spacing:-.03em;
  font-variant-numeric:tabular-nums}
.score small{font-size:26px;font-weight:500;color:var(--soft);letter-spacing:0}
.cards{display:grid;grid-template-columns:repeat(3,1fr);gap:16px}
.card{background:var(--panel);border:1px solid var(--line);border-radius:14px;padding:16px 18px}
.card b{display:block;font-size:24px;font-weight:620;line-height:1.25;letter-spacing:-.01em;
  font-variant-numeric:tabular-nums}
.card span{color:var(--soft);font-size:13px}
.two{display:grid;grid-template-columns:1fr 1fr;gap:16px;margin-top:16px}
.two>.panel{margin:0;min-width:0}
svg{display:block;width:100%;overflow:visible}
svg[role]{margin-top:14px}
svg text{fill:var(--soft);font:11px var(--sans);font-variant-numeric:tabular-nums}
svg text.mark{fill:var(--ink);font-weight:600}
.grid{stroke:var(--line);stroke-width:1}
.axis{stroke:var(--soft);stroke-width:1;opacity:.6}
.marker{stroke:var(--ink);stroke-width:1;stroke-dasharray:3 3;opacity:.65}
.f-passed{fill:var(--passed)}.f-failed{fill:var(--failed)}.f-error{fill:var(--error)}
.f-timeout{fill:var(--timeout)}.f-accent{fill:var(--accent)}.f-soft{fill:var(--accent-soft)}
.f-track{fill:var(--raised)}.f-ink{fill:var(--ink)}
.f-better{fill:var(--passed)}.f-worse{fill:var(--failed)}.f-within_noise{fill:var(--soft)}
.s-better{stroke:var(--passed)}.s-worse{stroke:var(--failed)}.s-within_noise{stroke:var(--soft)}
.line{fill:none;stroke-width:2;stroke-linejoin:round}
.s-accent{stroke:var(--accent)}.s-soft{stroke:var(--error)}.s-ink{stroke:var(--ink)}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:10px 0 0;padding:0;list-style:none;
  font-size:13px;color:var(--soft)}
.legend b{color:var(--ink);font-variant-numeric:tabular-nums}
.dot{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px}
.b-passed{background:var(--passed)}.b-failed{background:var(--failed)}
.b-error{background:var(--error)}.b-timeout{background:var(--timeout)}
.b-accent{background:var(--accent)}.b-soft{background:var(--error)}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:7px 10px;text-align:right;border-bottom:1px solid var(--line);vertical-align:middle;
  white-space:nowrap}
tr:last-child>td{border-bottom:0}
th{color:var(--soft);font-size:12px;font-weight:500}
th:first-child,td:first-child,.left{text-align:left}
th:has(.left){text-align:left}
th:first-child,td:first-child{padding-left:0}
th:last-child,td:last-child{padding-right:0}
td.text{min-width:120px;white-space:normal;overflow-wrap:anywhere}
td.bar{width:38%;min-width:140px}
.groups td.text{width:180px}
.pill{display:inline-block;padding:1px 9px;border-radius:99px;font-size:12px;font-weight:600;
  white-space:nowrap}
.passed,.better{background:var(--good-soft);color:var(--good)}
.failed,.worse{background:var(--bad-soft);color:var(--bad)}
.error{background:var(--wait-soft);color:var(--wait)}
.timeout{background:var(--info-soft);color:var(--info)}
.within_noise,.unknown,.plain{background:var(--raised);color:var(--soft)}
details{border-top:1px solid var(--line)}
details:first-of-type{margin-top:12px}
details.alone{border:0;margin:0}
summary{display:flex;gap:10px;align-items:baseline;padding:10px 0;cursor:pointer;list-style:none}
details.alone>summary{padding:0;align-items:center}
summary::-webkit-details-marker{display:none}
summary::before{content:"";flex:none;width:7px;height:7px;border:solid var(--soft);
  border-width:0 2px 2px 0;transform:rotate(-45deg) translateY(-2px)}
details[open]>summary::before{transform:rotate(45deg) translateY(-3px)}
summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:6px}
summary .ask{flex:1;min-width:0;overflow-wrap:anywhere;unicode-bidi:isolate}
summary .why{flex:0 1 38%;min-width:0;color:var(--soft);font-size:13px;overflow:hidden;
  text-overflow:ellipsis;white-space:nowrap}
.body{padding:0 0 16px 17px}
.body dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 18px;margin:0 0 10px;
  font-size:14px}
.body dt{color:var(--soft)}
.body dd{margin:0;min-width:0;overflow-wrap:anywhere;unicode-bidi:isolate}
pre{margin:0;padding:12px 14px;background:var(--raised);border-radius:10px;white-space:pre-wrap;
  overflow-wrap:anywhere;unicode-bidi:isolate;max-height:420px;overflow:auto}
.key{display:inline-block;margin:0 6px 4px 0;padding:0 8px;border-radius:6px;font-size:13px}
footer{margin-top:28px;color:var(--soft);font-size:12px;display:flex;flex-wrap:wrap;gap:4px 20px}
@media (max-width:860px){.top,.two{grid-template-columns:1fr}.cards{grid-template-columns:1fr 1fr}
  summary .why{display:none}}
@media (max-width:480px){main{padding:20px 14px 40px}.score{font-size:44px}}
@media print{:root{${light}}body{background:#fff;font-size:12px}main{max-width:none;padding:0}
  .panel,.card,details,tr{break-inside:avoid}pre{max-height:none;overflow:visible}
  details::details-content{display:block;content-visibility:visible;block-size:auto}
  .two{grid-template-columns:1fr 1fr}table{font-size:11px}th,td{padding:4px 5px}
  td.bar{min-width:70px;width:22%}.scroll{overflow:visible}.groups td.text{width:110px}
  *{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`
