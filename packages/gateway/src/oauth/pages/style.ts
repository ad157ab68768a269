/** Of all pages; it stands in them, and their policy allows this text alone. */
export const style = `:root {
  color-scheme: light dark;
  --back: #f4f5fa; --panel: #ffffff; --line: #dfe2ec; --ink: #171a26; --soft: #565d73;
  --accent: #4f46e5; --accent-strong: #4338ca; --on-accent: #ffffff; --glow: #e4e6ff;
  --bad: #b3261e; --bad-back: #fdecea; --good: #0f7b4f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #0e1018; --panel: #171a26; --line: #2f3549; --ink: #eef0f8; --soft: #a3aac2;
    --accent: #a5a8ff; --accent-strong: #c0c2ff; --on-accent: #12142a; --glow: #1d2044;
    --bad: #ff9a91; --bad-back: #3a1a1c; --good: #4ade9c;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; padding: 0.9rem 1rem 1.5rem;
  color: var(--ink);
  background: radial-gradient(40rem 22rem at 50% -6rem, var(--glow), transparent) no-repeat
    var(--back);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei",
    "Noto Sans CJK SC", sans-serif;
}
header, main { max-width: 32rem; margin: 0 auto; }
header {
  display: flex; align-items: center; justify-content: space-between; gap: 1rem;
  padding: 0 0.25rem 0.7rem;
}
.brand { display: flex; align-items: center; gap: 0.5rem; font-weight: 650; min-width: 0; }
.brand span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.brand svg { flex: none; width: 1.5rem; height: 1.5rem; fill: var(--accent); }
.language { flex: none; padding: 0.2rem 0.6rem; border-radius: 1rem; font-size: 0.87rem; }
main {
  padding: 1.35rem 1.5rem; background: var(--panel);
  border: 1px solid var(--line); border-radius: 1rem;
  box-shadow: 0 1px 2px rgb(0 0 0 / 5%), 0 12px 32px rgb(20 24 60 / 7%);
}
h1 { margin: 0 0 0.3rem; font-size: 1.4rem; line-height: 1.25; letter-spacing: -0.01em; }
h1, p, dd, legend, .name, .about { overflow-wrap: anywhere; }
h2, legend { margin: 0 0 0.5rem; padding: 0; font-size: 1rem; font-weight: 650; }
p { margin: 0 0 0.75rem; }
.soft, .hint, dt, .about { color: var(--soft); }
.hint, .about, dt, dd { font-size: 0.9rem; }
a { color: var(--accent); }
dl {
  display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.45rem 1rem;
  margin: 0.9rem 0 1.1rem; padding: 0.75rem 1rem; border-radius: 0.7rem; background: var(--back);
}
dd { margin: 0; }
dd strong { font-weight: 600; }
dd .hint { margin: 0; }
.soft .hint { display: block; margin: 0.3rem 0 0; font-size: 0.85rem; }
fieldset { margin: 0 0 1.1rem; padding: 0; border: 0; min-width: 0; }
.groups { max-height: 22rem; overflow-y: auto; padding: 2px; margin: -2px; }
.group {
  display: flex; gap: 0.75rem; align-items: flex-start; padding: 0.7rem 0.85rem;
  border: 1px solid var(--line); border-radius: 0.7rem; cursor: pointer;
}
.group + .group { margin-top: 0.5rem; }
.group:hover { border-color: var(--accent); }
.group:has(input:checked) {
  border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent);
}
.group input {
  flex: none; width: 1.1rem; height: 1.1rem; margin: 0.2rem 0 0; accent-color: var(--accent);
}
.name { display: block; font-weight: 600; }
.about { display: block; }
.who {
  display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 1rem;
  margin-bottom: 0.9rem; font-size: 0.9rem; color: var(--soft);
}
label.field { display: block; margin-bottom: 0.3rem; font-weight: 600; }
.text {
  display: block; width: 100%; padding: 0.65rem 0.8rem; font: inherit; color: inherit;
  border: 1px solid var(--line); border-radius: 0.6rem; background: var(--back);
}
.text[aria-invalid="true"] { border-color: var(--bad); }
.text.code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 0.9rem; }
.hint { margin: 0.4rem 0 0.9rem; }
.buttons { display: grid; grid-template-columns: 2fr 1fr; gap: 0.6rem; }
.button {
  display: block; width: 100%; padding: 0.65rem 1rem; font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; cursor: pointer;
  border: 1px solid var(--line); border-radius: 0.6rem; color: var(--ink); background: transparent;
}
.button:hover { border-color: var(--soft); }
.button.main { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.button.main:hover { background: var(--accent-strong); border-color: var(--accent-strong); }
.link {
  padding: 0; border: 0; font: inherit; color: var(--accent); background: none; cursor: pointer;
  text-decoration: underline;
}
.or {
  display: flex; align-items: center; gap: 0.75rem; margin: 0.8rem 0; color: var(--soft);
  font-size: 0.87rem;
}
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
.error {
  margin: 0 0 1rem; padding: 0.65rem 0.85rem; border-radius: 0.6rem; color: var(--bad);
  background: var(--bad-back); font-weight: 550;
}
.empty { margin: 0 0 1.1rem; padding: 1rem; border: 1px dashed var(--line); border-radius: 0.7rem; }
.empty p { margin: 0; color: var(--soft); }
form + form, details + form { margin-top: 0.6rem; }
details { margin-top: 1.1rem; padding-top: 1rem; border-top: 1px solid var(--line); }
summary { color: var(--accent); cursor: pointer; }
details form { margin-top: 0.9rem; }
footer { margin-top: 0.9rem; color: var(--soft); font-size: 0.83rem; text-align: center; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (max-width: 26rem) {
  body { padding: 0.75rem 0.6rem 1.5rem; }
  main { padding: 1.15rem; }
  dl { grid-template-columns: 1fr; gap: 0.1rem; }
  dd + dt { margin-top: 0.5rem; }
}
`
