import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { Redis } from 'ioredis'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { createDatabase } from '../services/create-database.ts'
import { createRedisScope } from '../services/create-redis-scope.ts'
import { findService } from '../services/find-service.ts'
import { temporaryDirectory } from '../temporary-directory.ts'
import { type Canary, createCanary } from './canary.ts'
import { captureOutput } from './capture-output.ts'
import { expectNoCanary, scanForCanaries } from './scan-for-canaries.ts'
import type { Sink } from './sinks.ts'

const canary = createCanary('key')

async function formsIn(secret: Canary | string, text: string | Buffer): Promise<string[]> {
  const findings = await scanForCanaries([secret], [{ name: 'sink', bytes: Buffer.from(text) }])
  return findings.map(({ form }) => form)
}

describe('every shape of a canary is found in every form', () => {
  const shapes = ['apiKey', 'header', 'password', 'url'] as const
  const forms: [string, (text: string) => string | Buffer][] = [
    ['raw', (text) => text],
    ['raw', (text) => JSON.stringify({ text })],
    ['raw', (text) => encodeURIComponent(text)],
    ['hex', (text) => Buffer.from(text).toString('hex')],
    ['hex', (text) => Buffer.from(text).toString('hex').toUpperCase()],
    ['base64', (text) => Buffer.from(text).toString('base64')],
    ['base64', (text) => Buffer.from(`u:${text}:`).toString('base64')],
    ['base64', (text) => Buffer.from(`user:${text}`).toString('base64')],
    ['utf16', (text) => Buffer.from(text, 'utf16le')],
    ['raw in gzip', (text) => gzipSync(`before ${text} after`)],
    ['raw in gzip', (text) => withFileName(gzipSync(text))],
    ['raw in base64 gzip', (text) => JSON.stringify({ z: gzipSync(text).toString('base64') })],
    ['base64 in gzip', (text) => gzipSync(Buffer.from(text).toString('base64'))],
    ['raw in gzip in gzip', (text) => gzipSync(gzipSync(text))],
  ]
  test.for(shapes.flatMap((shape) => forms.map(([form, write]) => ({ shape, form, write }))))(
    '$shape as $form',
    async ({ shape, form, write }) => {
      const noise = Buffer.from(`${createCanary().apiKey} \u0000\u001f`)
      const text = Buffer.concat([noise, Buffer.from(write(canary[shape])), noise])
      expect(await formsIn(canary, text)).toContain(form)
    },
  )
})

test('a gzip whose end is missing is searched as far as it goes', async () => {
  const whole = gzipSync(`${canary.apiKey} ${randomBytes(99).toString('hex')}`)
  expect(await formsIn(canary, whole.subarray(0, -40))).toContain('raw in gzip')
})

/** As gzip(1) writes it. */
function withFileName(archive: Buffer): Buffer {
  const named = Buffer.concat([
    archive.subarray(0, 10),
    Buffer.from('log.txt\0'),
    archive.subarray(10),
  ])
  named[3] = 8
  return named
}

describe('a secret of ones own choice, full of special characters, is found', () => {
  const secret = 'p@ss "w/rd" + <é>\n\'&\\~?>'
  test.for([
    ['raw', secret],
    ['url-encoded', encodeURIComponent(secret)],
    ['url-encoded', encodeURIComponent(secret).toLowerCase()],
    ['url-encoded', new URLSearchParams({ secret }).toString()],
    ['url-encoded', encodeURI(secret)],
    ['json-escaped', JSON.stringify({ secret })],
    ['json-escaped', JSON.stringify(JSON.stringify({ secret }))],
    ['json-escaped', JSON.stringify(secret).replace('é', '\\u00e9')],
    ['json-escaped', JSON.stringify(secret).replace('/', '\\/')],
    ['json-escaped', JSON.stringify(JSON.stringify(JSON.stringify({ secret })))],
    ['url-encoded', encodeURIComponent(encodeURIComponent(secret))],
    ['html-escaped', 'p@ss &quot;w/rd&quot; + &lt;é&gt;\n&#39;&amp;\\~?&gt;'],
    ['base64', Buffer.from(`x${secret}`).toString('base64')],
    ['base64url', Buffer.from(`xx${secret}`).toString('base64url')],
    ['hex', Buffer.from(secret).toString('hex')],
  ] as const)('%s', async ([form, text]) => {
    expect(await formsIn(secret, text)).toContain(form)
  })
})

test('a masked secret and another secret are not found', async () => {
  const masked = `${canary.apiKey.slice(0, 10)}…${canary.apiKey.slice(-4)} ${createCanary().apiKey}`
  expect(await formsIn(canary, masked)).toEqual([])
})

test('a finding names sink, secret, form and offset', async () => {
  const sink = { name: 'log', text: `12345${canary.marker}` }
  expect(await scanForCanaries([canary], [sink])).toEqual([
    { sink: 'log', canary: 'key', form: 'raw', offset: 5 },
  ])
})

test('an object is searched at every depth: keys, errors, maps, buffers, rings', async () => {
  const ring: Record<string, unknown> = {
    key: { [canary.apiKey]: 1 },
    error: new Error('outer', { cause: new Error(canary.header) }),
    map: new Map([['header', new Set([canary.url])]]),
    buffer: Buffer.from(canary.password),
    headers: new Headers({ authorization: canary.header }),
  }
  ring.ring = ring
  const findings = await scanForCanaries([canary], [{ name: 'ctx', object: ring }])
  const places = new Set(findings.map(({ sink }) => sink))
  expect([...places].filter((place) => !place.includes('stack'))).toEqual([
    `ctx.key.${canary.apiKey} (key)`,
    'ctx.error.cause.message',
    'ctx.map.header.0',
    'ctx.buffer',
    'ctx.headers.authorization',
  ])
})

test('files, their names and SQLite rows are searched, and looking changes nothing', async () => {
  await using directory = await temporaryDirectory()
  const at = (name: string) => join(directory.path, name)
  const database = new DatabaseSync(at('store.db'))
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE "a ""table" (v TEXT, n INTEGER)')
  const insert = database.prepare('INSERT INTO "a ""table" VALUES (?, 9007199254740993)')
  for (let i = 0; i < 200; i++) insert.run(`${'x'.repeat(4_050 + i)}${canary.marker}`)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  insert.run(`in the log: ${canary.apiKey}`)
  await writeFile(at(`${canary.marker}.txt`), 'nothing inside')
  await writeFile(at('dump.gz'), gzipSync(canary.url))

  const findings = await scanForCanaries([canary], [{ directory: directory.path }])
  const count = (text: string) => findings.filter(({ sink }) => sink.includes(text)).length
  expect(count('store.db a "table[')).toBe(200)
  expect(count('store.db-wal')).toBeGreaterThan(0)
  expect(count('.txt (name)')).toBe(1)
  expect(count('dump.gz')).toBeGreaterThan(0)
  database.close()
})

test('an HTTP response is searched in headers and body, and stays readable', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('x-debug', canary.apiKey)
    response.setHeader('content-encoding', 'gzip')
    response.end(gzipSync(JSON.stringify({ leaked: canary.header })))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const findings = await scanForCanaries([canary], [{ name: 'GET /', response }])
  expect(findings.map(({ sink }) => sink)).toEqual(['GET /.headers.x-debug', 'GET /.body'])
  expect(await response.json()).toEqual({ leaked: canary.header })
  server.close()
  server.closeAllConnections()
})

test('what the process prints is captured and searched', async () => {
  using output = captureOutput()
  process.stderr.write(`${createCanary().marker}\n`)
  process.stdout.write(Buffer.from(`printed ${canary.marker}\n`))
  const sink = { name: 'output', text: output.text() }
  expect(await scanForCanaries([canary], [sink])).toHaveLength(1)
})

describe.skipIf(!(await findService('mysql')))('mysql', () => {
  test('rows of all tables are searched', async () => {
    await using database = await createDatabase('mysql')
    const connection = await createConnection(database.url)
    await connection.query('CREATE TABLE `a ``b` (id INT, t TEXT, b BLOB)')
    await connection.query('INSERT INTO `a ``b` VALUES (1, ?, NULL), (2, NULL, ?)', [
      JSON.stringify({ auth: canary.header }),
      Buffer.from(canary.marker),
    ])
    await connection.end()
    const findings = await scanForCanaries([canary], [{ database: database.url }])
    expect(findings.map(({ sink }) => sink.split(' a ')[1])).toEqual(['`b[0].t', '`b[1].b'])
  })
})

describe.skipIf(!(await findService('postgres')))('postgres', () => {
  test('rows of all tables in all schemas are searched', async () => {
    await using database = await createDatabase('postgres')
    const client = new Client(database.url)
    await client.connect()
    await client.query('CREATE SCHEMA other; CREATE TABLE other."T" (j jsonb, b bytea)')
    await client.query('INSERT INTO other."T" VALUES ($1, $2)', [
      { deep: [{ password: canary.password }] },
      Buffer.from(canary.marker),
    ])
    await client.end()
    const findings = await scanForCanaries([canary], [{ database: database.url }])
    expect(findings.map(({ sink }) => sink.split(' ')[1])).toEqual([
      'other."T"[0].j.deep.0.password',
      'other."T"[0].b',
    ])
  })
})

describe.skipIf(!(await findService('redis')))('redis', () => {
  test('keys and values of every type are searched', async () => {
    await using scope = await createRedisScope()
    const redis = new Redis(scope.url, { keyPrefix: scope.prefix })
    await redis.set('s', canary.apiKey)
    await redis.hset('h', 'field', canary.apiKey)
    await redis.rpush('l', canary.apiKey)
    await redis.sadd('m', canary.apiKey)
    await redis.zadd('z', 1, canary.apiKey)
    await redis.xadd('x', '*', 'field', canary.apiKey)
    await redis.set(`k-${canary.marker}`, '1')
    redis.disconnect()
    const findings = await scanForCanaries([canary], [{ database: scope.url }])
    expect(new Set(findings.map(({ sink }) => sink.split(scope.prefix)[1]?.[0]))).toEqual(
      new Set(['s', 'h', 'l', 'm', 'z', 'x', 'k']),
    )
  })
})

describe('expectNoCanary', () => {
  test('is content when there is none', async () => {
    await expectNoCanary([canary], [{ name: 'log', text: 'all is well' }])
  })

  test('throws a readable list', async () => {
    const sinks: Sink[] = [
      { name: 'log', text: canary.apiKey },
      { name: 'answer', text: Buffer.from(canary.marker).toString('hex') },
    ]
    await expect(expectNoCanary([canary], sinks)).rejects.toThrow(
      'Secrets leaked to 2 places:\n  key (raw) in log at byte 10\n  key (hex) in answer at byte 0',
    )
  })

  test.for([
    ['no canary', [], [{ name: 'log', text: '' }]],
    ['no sink', [canary], []],
    ['a file that is not there', [canary], [{ file: '/no/such/file' }]],
  ] as [string, Canary[], Sink[]][])(
    'refuses %s: nobody would look',
    async ([, canaries, sinks]) => {
      await expect(expectNoCanary(canaries, sinks)).rejects.toThrow()
    },
  )
})
