import { globalsOf } from '../globals.mjs'
import { importsOf } from '../imports.mjs'
import { isCode, isTest } from '../tree.mjs'

/**
 * @typedef {import('../tree.mjs').SourceFile} SourceFile
 * @typedef {import('../imports.mjs').Import} Import
 */

/** Modules that can open a connection. */
const builtin = /^(?:node:)?(?:http|https|http2|net|tls|dgram)$/
const installed =
  /^(?:undici|axios|node-fetch|cross-fetch|got|ky|superagent|eventsource|ws)(?:\/|$)/

/** What they export that cannot. */
const harmless = new Set(['isIP', 'BlockList', 'STATUS_CODES', 'createServer'])

const globals = new Set(['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])

/** Where a way out is right: each with its reason. */
const allowed = [
  { path: 'packages/guard/src/egress/', reason: 'the egress itself' },
  { path: 'packages/testkit/', reason: 'plays servers, clients and faults; never in a product' },
  { path: 'apps/web/', reason: 'runs in the browser, under the rules of the browser' },
  { path: 'packages/client/src/client.ts', reason: 'reaches the server that its caller names' },
  { path: 'packages/store/src/kv/', reason: 'workers reach the store of their parent process' },
  {
    path: 'packages/data/src/engines/dial.ts',
    reason: 'databases speak protocols of their own; each address is asked for first',
  },
  {
    path: 'packages/guard/src/process/drain.ts',
    names: ['Socket'],
    reason: 'reads a pipe that is open already',
  },
]

/**
 * No shipped source opens a connection but through the egress.
 * @type {import('../findings.mjs').Check}
 */
export function checkWaysOut({ packages }) {
  return packages
    .flatMap(({ files }) => files)
    .filter(isShipped)
    .flatMap((file) =>
      waysOutOf(file).map(({ line, text }) => ({
        file: file.path,
        line,
        rule: 'way out',
        message: `${text} goes past the egress: use the one that is passed in`,
      })),
    )
}

/** @param {SourceFile} file */
function isShipped(file) {
  if (!/^(?:packages|apps)\/[^/]+\/src\//.test(file.path) || !isCode(file)) return false
  return !isTest(file) && !file.path.includes('/testing/')
}

/** @param {SourceFile} file */
function waysOutOf(file) {
  const rule = allowed.find(({ path }) => file.path.startsWith(path))
  if (rule && !rule.names) return []
  const imports = importsOf(file).filter((found) => isWayOut(found, rule?.names ?? []))
  return [
    ...imports.map(({ specifier, line }) => ({ line, text: `"${specifier}"` })),
    ...globalsOf(file, globals),
  ]
}

/** @type {(found: Import, names: string[]) => boolean} */
function isWayOut({ specifier, typeOnly, names }, alsoHarmless) {
  if (typeOnly) return false
  if (specifier.includes('/testing/')) return true
  if (!builtin.test(specifier) && !installed.test(specifier)) return false
  return !names?.every((name) => harmless.has(name) || alsoHarmless.includes(name))
}
