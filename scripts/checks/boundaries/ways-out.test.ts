import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { plantTree } from '../test-tree.ts'
import { readTree } from '../tree.mjs'
import { checkWaysOut } from './ways-out.mjs'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

async function findingsOf(files: Record<string, string>) {
  await using planted = await plantTree(files)
  return checkWaysOut(await readTree(planted.root))
}

test('no source but the egress opens a connection by itself [T4]', async () => {
  expect(checkWaysOut(await readTree(repository))).toEqual([])
})

test('a finding has its place; where a way out is allowed there is none', async () => {
  const source = '\nexport const ask = () => fetch(url)\n'
  const findings = await findingsOf({
    'packages/hub/src/deep/ask.ts': source,
    'packages/hub/src/deep/ask.test.ts': source,
    'packages/hub/src/deep/test-ask.ts': source,
    'packages/hub/src/testing/ask.ts': source,
    'packages/guard/src/egress/ask.ts': source,
    'apps/server/src/ask.mjs': source,
    'apps/web/src/ask.ts': source,
    'scripts/ask.mjs': source,
  })
  expect(findings.map(({ file, line }) => `${file}:${line}`)).toEqual([
    'apps/server/src/ask.mjs:2',
    'packages/hub/src/deep/ask.ts:2',
  ])
})

test('a file whose Socket takes no address may import just that', async () => {
  const path = 'packages/guard/src/process/drain.ts'
  expect(await findingsOf({ [path]: "import { Socket } from 'node:net'" })).toEqual([])
  expect(await findingsOf({ [path]: "import { connect } from 'node:net'" })).toHaveLength(1)
})

describe('is caught', () => {
  test.each([
    'const a = await fetch(url)',
    'return globalThis.fetch (url)',
    "globalThis['fetch'](url)",
    'globalThis[name](url)',
    'const { fetch } = globalThis',
    'const ask = { fetch: globalThis.fetch }',
    'const ask = { fetch }',
    'const ask = options.fetch ?? fetch',
    'const ask = window.fetch.bind(window)',
    'const ask = (url: string, how = fetch) => how(url)',
    'declare const fetch: unknown; use(fetch)',
    'function f(fetch: F) {}\nfetch(url)',
    '{ const fetch = 1 }\nfetch(url)',
    'export { fetch }',
    'use(fetch as unknown)',
    "new WebSocket('ws://a')",
    'class Own extends WebSocket {}',
    "new EventSource('http://a')",
    'new XMLHttpRequest()',
    "import { request } from 'undici'",
    "import { Agent } from 'undici'",
    "import { x } from 'undici/lib/x.js'",
    "const { Pool } = await import('undici')",
    "const undici = require('undici')",
    "const http = process.getBuiltinModule('node:http')",
    "import http from 'node:http'",
    "import * as c from 'node:https'; c.get()",
    "import { request as ask } from 'node:https'",
    "import {\n  createServer,\n  request,\n} from 'http'",
    "export { request } from 'node:http'",
    "export * from 'node:http'",
    "await import('node:http')",
    "import { Socket } from 'node:net'; new Socket().connect(80)",
    "import { connect } from 'node:net'",
    "import tls from 'tls'",
    "import { connect } from 'node:http2'",
    "import { createSocket } from 'node:dgram'",
    "import axios from 'axios'",
    "import fetch from 'node-fetch'",
    "import got from 'got'",
    "import { WebSocket } from 'ws'",
    "import { startTestServer } from './testing/test-server.ts'",
  ])('%j', async (source) => {
    expect(await findingsOf({ 'packages/hub/src/a.ts': source })).not.toEqual([])
  })
})

describe('passes', () => {
  test.each([
    'const answer = await egress.request(url)',
    'const fetch = egress.createFetch()\nuse(fetch)',
    'const ask = ({ fetch }: Options) => fetch(url)',
    'const ask = (fetch: typeof globalThis.fetch) => () => fetch(url)',
    'function ask({ get: fetch = other }: Options) { return fetch(url) }',
    "import { fetch } from './fetch.ts'\nfetch(url)",
    "export { fetch } from './fetch.ts'",
    'await options.fetch(url)',
    'await options?.fetch(url)',
    'const options = { fetch: ask, WebSocket() {} }',
    'class Asker { fetch = ask }',
    'interface Options { fetch: typeof fetch; socket: WebSocket }',
    'let ask: typeof fetch',
    'prefetch(url)',
    'globalThis.setTimeout(run, 1)',
    "const text = 'fetch(url)'",
    '// calls fetch(url) for you',
    "import { createServer } from 'node:http'",
    "import { isIP, type Socket } from 'node:net'",
    "import { STATUS_CODES } from 'node:http'",
    "import type { Dispatcher } from 'undici'",
    "type Dispatcher = import('undici').Dispatcher",
    "import type { Dispatcher } from 'undici-types'",
    'database.connect(url)',
  ])('%j', async (source) => {
    expect(await findingsOf({ 'packages/hub/src/a.ts': source })).toEqual([])
  })
})
