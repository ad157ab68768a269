const nameMax = 64
/** Longer texts are no names: they are looked at to here. */
const looksAt = 512
const dullFiles = new Set(['index', 'main', 'server', 'cli', 'app', 'mcp', 'start', 'run'])
const dullFolders = new Set(['dist', 'build', 'src', 'bin', 'lib', 'out', 'packages', 'servers'])
const dullLabels = new Set(['mcp', 'www', 'api', 'app', 'sse', 'remote'])

/** A name that our contract takes, as near to `raw` as it can be. */
export function toName(raw: string): string {
  const cut = raw.slice(0, looksAt)
  const fitting = cut.replaceAll(/[^\p{L}\p{N} ._@-]+/gu, '-').replace(/^[^\p{L}\p{N}]+/u, '')
  return [...fitting].slice(0, nameMax).join('').trim().replace(/-+$/, '') || 'server'
}

/** `@scope/mcp-server-git@1.2` is git. */
export function nameOfPackage(spec: string): string {
  const bare = spec
    .slice(0, looksAt)
    .replace(/[?#].*$/s, '')
    .replace(/(?<=.)(@|==|>=|~=)[^/@]*$/, '')
  const last = bare.split('/').findLast((part) => part !== '') ?? ''
  return toName(withoutAffixes(last.replace(/\.git$/, '')))
}

/** `ghcr.io/github/github-mcp-server:v1` is github. */
export function nameOfImage(image: string): string {
  const last =
    image
      .slice(0, looksAt)
      .replace(/@sha256:.*$/s, '')
      .split('/')
      .at(-1) ?? ''
  return toName(withoutAffixes(last.replace(/:.*$/s, '')))
}

/** The file, or where that says nothing (`dist/index.js`) the folder it is in. */
export function nameOfFile(path: string): string {
  const parts = path.slice(-looksAt).split(/[\\/]/).filter(Boolean)
  const file = (parts.pop() ?? '').replace(/\.\w+$/, '')
  const folder = parts.findLast((part) => !dullFolders.has(part) && !/^\.|:$/.test(part))
  return toName(withoutAffixes(dullFiles.has(file) && folder ? folder : file))
}

/** `https://mcp.sentry.dev/mcp` is sentry. */
export function nameOfUrl(url: string): string {
  const host = URL.parse(url)?.hostname ?? ''
  const labels = host.split('.')
  if (labels.length < 2 || /^[\d.]+$|^\[/.test(host)) return toName(host)
  return toName(labels.slice(0, -1).find((label) => !dullLabels.has(label)) ?? host)
}

function withoutAffixes(name: string): string {
  const bare = name
    .replace(/^(mcp-server-|server-|mcp-)/, '')
    .replace(/-(mcp-server|mcp|server)$/, '')
  return bare === 'mcp' || bare === 'server' || bare === '' ? name : bare
}
