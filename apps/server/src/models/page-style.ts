/** The style of the page, a file of its own: its policy allows none within the page. */
export const pageStyle = `:root {
  color-scheme: light dark;
  --text: #1b1f24;
  --quiet: #59636e;
  --line: #d9dee4;
  --ground: #ffffff;
  --raised: #f6f8fa;
  --link: #0b57d0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6e9ed;
    --quiet: #9aa4af;
    --line: #343b43;
    --ground: #14171a;
    --raised: #1c2024;
    --link: #8ab4f8;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
body {
  margin: 0;
  display: grid;
  grid-template-columns: 13rem minmax(0, 1fr);
  color: var(--text);
  background: var(--ground);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei",
    sans-serif;
}
nav {
  position: sticky;
  top: 0;
  height: 100vh;
  overflow-y: auto;
  padding: 1.5rem 1rem;
  border-right: 1px solid var(--line);
  background: var(--raised);
}
nav ul { list-style: none; margin: 0.75rem 0 0; padding: 0; }
nav a {
  display: block;
  padding: 0.25rem 0.5rem;
  border-radius: 6px;
  color: var(--text);
  text-decoration: none;
}
nav a:hover { background: var(--line); }
main { max-width: 62rem; padding: 1.5rem 2.5rem 4rem; }
h1 { margin: 0 0 0.5rem; font-size: 1.8rem; }
h1 small { font-size: 0.9rem; font-weight: 400; color: var(--quiet); }
h2 { margin: 2.5rem 0 0.25rem; padding-top: 0.5rem; font-size: 1.3rem; }
h2 + p { margin: 0 0 0.75rem; color: var(--quiet); }
h3 { margin: 1rem 0 0.35rem; font-size: 0.95rem; }
p { margin: 0.4rem 0; }
a { color: var(--link); }
code {
  font: 0.88em/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace;
  overflow-wrap: anywhere;
}
small { color: var(--quiet); }
em { color: #b3261e; font-size: 0.8rem; font-style: normal; }
details {
  margin: 0.4rem 0;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--ground);
}
details[open] { background: var(--raised); }
summary { padding: 0.55rem 0.8rem; cursor: pointer; border-radius: 8px; }
summary:hover { background: var(--raised); }
summary > span:last-child { color: var(--quiet); margin-left: 0.5rem; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
details > div { padding: 0 1rem 0.9rem; overflow-x: auto; scroll-margin-top: 4rem; }
.method {
  display: inline-block;
  min-width: 4.3rem;
  margin-right: 0.4rem;
  padding: 0.1rem 0.4rem;
  border-radius: 5px;
  color: #ffffff;
  font: 600 0.75rem/1.5 ui-monospace, Menlo, Consolas, monospace;
  text-align: center;
}
.get { background: #1a6fb0; }
.post { background: #1f7a3f; }
.put, .patch { background: #8a5a00; }
.delete { background: #b3261e; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th, td {
  padding: 0.35rem 0.6rem 0.35rem 0;
  border-bottom: 1px solid var(--line);
  text-align: left;
  vertical-align: top;
}
th { color: var(--quiet); font-weight: 600; }
td p { margin: 0; }
td:first-child { min-width: 9rem; }
td:nth-child(2) { min-width: 10rem; }
@media (max-width: 48rem) {
  body { display: block; }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); }
  nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem; }
  main { padding: 1rem; }
}
`
