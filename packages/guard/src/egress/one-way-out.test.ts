import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'

const repository = fileURLToPath(new URL('../../../..', import.meta.url))

/** Ways to open a connection without asking the egress. */
const waysOut: [name: string, pattern: RegExp][] = [
  ['fetch(', /(?<![.\w$])(?:(?:globalThis|window|self)\.)?fetch\s*\(/],
  ['undici', /(?:from|import|require)\s*\(?\s*['"]undici(?:\/[^'"]*)?['"]/],
  ['http.request(', /(?<![\w$])https?\.(?:request|get)\s*\(/],
  ['http2.connect(', /(?<![\w$])http2\.connect\s*\(/],
  ['net.connect(', /(?<![\w$])(?:net|tls)\.(?:connect|createConnection)\s*\(/],
  ['new WebSocket(', /(?<![.\w$])new\s+(?:WebSocket|EventSource|XMLHttpRequest)\s*\(/],
  ['dgram', /from\s*['"](?:node:)?dgram['"]/],
  ['test support', /from\s*['"][^'"]*\/testing\//],
  [
    'a client function of node:http, node:net or node:tls',
    /import\s*\{[^}]*\b(?:request|get|connect|createConnection|Socket\s+as)\b[^}]*\}\s*from\s*['"](?:node:)?(?:https?|http2|net|tls)['"]/,
  ],
]

/** Where a way out is right: each with its reason. */
const allowed: [path: string, reason: string][] = [
  ['packages/guard/src/egress/', 'the egress itself'],
  ['packages/testkit/', 'plays servers, clients and faults for tests; never in a product'],
  ['apps/web/', 'runs in the browser, under the rules of the browser'],
  ['packages/store/src/kv/', 'workers reach the key-value store of their parent process'],
]

/** The ways out that a source text takes, comments left aside. */
function findWaysOut(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  return waysOut.filter(([, pattern]) => pattern.test(code)).map(([name]) => name)
}

async function scanTree(root: string): Promise<{ files: number; violations: string[] }> {
  const violations: string[] = []
  let files = 0
  for await (const path of glob('{packages,apps}/*/src/**/*.{ts,tsx,mts,js,mjs}', { cwd: root })) {
    if (
      /\.test\.\w+$|\/testing\//.test(path) ||
      allowed.some(([prefix]) => path.startsWith(prefix))
    )
      continue
    files += 1
    for (const way of findWaysOut(await readFile(join(root, path), 'utf8'))) {
      violations.push(`${path}: ${way}`)
    }
  }
  return { files, violations }
}

test('no source but the egress opens a connection by itself', async () => {
  const { files, violations } = await scanTree(repository)
  expect(violations).toEqual([])
  expect(files).toBeGreaterThan(5)
})

describe('the scanner', () => {
  test('finds a planted violation in a tree, and not where one is allowed', async () => {
    await using tree = await temporaryDirectory()
    const plant = async (path: string) => {
      await mkdir(join(tree.path, dirname(path)), { recursive: true })
      await writeFile(join(tree.path, path), 'export const ask = () => fetch(url)\n')
    }
    await plant('packages/hub/src/deep/ask.ts')
    await plant('packages/hub/src/deep/ask.test.ts')
    await plant('packages/guard/src/egress/ask.ts')
    await plant('apps/server/src/ask.ts')
    const { violations } = await scanTree(tree.path)
    expect(violations.sort()).toEqual([
      'apps/server/src/ask.ts: fetch(',
      'packages/hub/src/deep/ask.ts: fetch(',
    ])
  })

  test.each([
    'const a = await fetch(url)',
    'return globalThis.fetch (url)',
    "import { request } from 'undici'",
    "import { Agent } from 'undici'",
    "const { Pool } = await import('undici')",
    "const undici = require('undici')",
    "import http from 'node:http'\nhttp.request(url)",
    'https.get(url)',
    "import { request as ask } from 'node:https'",
    "import {\n  createServer,\n  request,\n} from 'http'",
    "import { connect } from 'node:net'",
    'net.connect(80)',
    'net.createConnection({ port })',
    'tls.connect(443)',
    "http2.connect('https://a')",
    "new WebSocket('ws://a')",
    "import { createSocket } from 'node:dgram'",
    "import { startTestServer } from './testing/test-server.ts'",
  ])('catches %j', (source) => {
    expect(findWaysOut(source)).not.toEqual([])
  })

  test.each([
    'const answer = await egress.request(url)',
    'const fetch = egress.createFetch()',
    'await options.fetch(url)',
    'prefetch(url)',
    "import { createServer } from 'node:http'",
    "import { isIP, type Socket } from 'node:net'",
    '// calls fetch(url) for you',
    '/** like fetch(url) */',
    "import type { Dispatcher } from 'undici-types'",
    'database.connect(url)',
  ])('lets %j pass', (source) => {
    expect(findWaysOut(source)).toEqual([])
  })
})
