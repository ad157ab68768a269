import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runServer, type ServerProcess } from './testing/test-server.ts'

const key = 'a-configured-key-of-good-length'

describe('first start without keys', () => {
  const cleanup = new AsyncDisposableStack()
  let dataDir: string
  let server: ServerProcess
  let shown: string
  let url: string
  const answers: { status: number; body: unknown }[] = []
  beforeAll(async () => {
    dataDir = join(cleanup.use(await temporaryDirectory()).path, 'made')
    server = cleanup.use(runServer({ dataDir, args: ['--log-level', 'debug'] }))
    shown = await server.shownKey()
    url = await server.url()
    const asked: [string, Record<string, string>?][] = [
      ['/api/v1/me', { 'x-api-key': shown }],
      ['/api/v1/me'],
      [`/api/v1/nothing?key=${shown}`],
      ['/api/v1/health', { 'x-request-id': 'from-the-test' }],
    ]
    for (const one of asked) {
      const answer = await server.get(...one)
      answers.push({ status: answer.status, body: await answer.json() })
    }
    server.process.kill('SIGTERM')
  }, 60_000)
  afterAll(() => cleanup.disposeAsync())

  test('listens on loopback, makes an administrator key, shows it once, and it works [D19.1]', () => {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(server.stderr()).toContain(`${url}/#key=${shown}`)
    const [me, nobody] = answers
    const body = { tenant_id: 'default', user_id: 'admin', role: 'platform_admin' }
    expect(me).toMatchObject({ status: 200, body })
    expect(nobody?.status).toBe(401)
  })

  test('keeps the key out of the log and the database, and its files from other users', async () => {
    expect(await server.ended).toBe(0)
    expect(server.stdout()).not.toContain(shown.slice(-20))
    const database = await readFile(join(dataDir, 'dataagent.db'), 'latin1')
    expect(database).toContain('platform_admin')
    expect(database).not.toContain(shown.slice(-20))
    for (const name of ['', 'dataagent.db', 'master.key'])
      expect((await stat(join(dataDir, name))).mode & 0o077).toBe(0)
  })

  test('writes to standard output records with the four fields alone [D22.1] [D22.2]', async () => {
    await server.ended
    const lines = server.stdout().trimEnd().split('\n')
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        level: expect.stringMatching(/^(debug|info|warning|error)$/),
        message: expect.any(String),
      })
      expect(JSON.parse(line)).toHaveProperty('request_id')
    }
    expect(lines.join()).toContain('"request_id":"from-the-test"')
  })

  test('is told from the second: the key still works and is not shown again', async () => {
    await server.ended
    await using second = runServer({ dataDir })
    await waitFor(() => second.stderr().includes('--new-admin-key'), { timeoutMs: 20_000 })
    expect(second.stderr()).not.toContain('#key=')
    expect((await second.get('/api/v1/me', { 'x-api-key': shown })).status).toBe(200)
  })

  test('by two processes at once gives one key', async () => {
    await using directory = await temporaryDirectory()
    await using one = runServer({ dataDir: directory.path })
    await using two = runServer({ dataDir: directory.path })
    await waitFor(() => one.stderr().includes('Stop') && two.stderr().includes('Stop'), {
      timeoutMs: 20_000,
    })
    expect(`${one.stderr()}${two.stderr()}`.match(/#key=/g)).toHaveLength(1)
  })
})

test('with session_store memory the key works and nothing is kept on disk', async () => {
  await using directory = await temporaryDirectory()
  const args = ['--session-store', 'memory']
  await using server = runServer({ dataDir: directory.path, args })
  const shown = await server.shownKey()
  expect((await server.get('/api/v1/me', { 'x-api-key': shown })).status).toBe(200)
  const files = await readdir(directory.path, { recursive: true, withFileTypes: true })
  expect(files.filter((file) => file.isFile()).map(({ name }) => name)).toEqual([])
})

test('--new-admin-key makes a further key while the server runs, and exits', async () => {
  await using directory = await temporaryDirectory()
  await using server = runServer({ dataDir: directory.path })
  const first = await server.shownKey()
  await using maker = runServer({ dataDir: directory.path, args: ['--new-admin-key'] })
  expect(await maker.ended).toBe(0)
  const second = /#key=(\S+)/.exec(maker.stderr())?.[1] ?? ''
  for (const good of [first, second])
    expect((await server.get('/api/v1/me', { 'x-api-key': good })).status).toBe(200)
  const wrong = second.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
  expect((await server.get('/api/v1/me', { 'x-api-key': wrong })).status).toBe(401)
})

test('--new-admin-key gives a key that works also where its user was disabled, and says so', async () => {
  await using directory = await temporaryDirectory()
  await using server = runServer({ dataDir: directory.path })
  const headers = { 'x-api-key': await server.shownKey(), 'content-type': 'application/json' }
  const ask = async (method: string, path: string, json: object) => {
    const body = JSON.stringify(json)
    const url = `${await server.url()}/api/v1${path}`
    return (await fetch(url, { method, headers, body })).status
  }
  await waitFor(async () => (await server.get('/api/v1/ready')).ok)
  const other = { user_id: 'other', name: 'Other', role: 'platform_admin' }
  expect(await ask('PATCH', '/users/admin', { disabled: true })).toBe(409)
  expect(await ask('POST', '/users', other)).toBe(201)
  expect(await ask('PATCH', '/users/admin', { disabled: true })).toBe(200)
  await using maker = runServer({ dataDir: directory.path, args: ['--new-admin-key'] })
  expect(await maker.ended).toBe(0)
  expect(maker.stderr()).toContain('The user admin was disabled')
  const key = /#key=(\S+)/.exec(maker.stderr())?.[1] ?? ''
  expect((await server.get('/api/v1/tenants', { 'x-api-key': key })).status).toBe(200)
})

test('several configured keys get in, and none is made or shown [D19.4]', async () => {
  await using directory = await temporaryDirectory()
  const env = { DATAAGENT_API_KEYS: `${key}1,${key}2`, DATAAGENT_HOST: '127.0.0.1' }
  await using server = runServer({ dataDir: directory.path, env })
  await waitFor(async () => (await server.get('/api/v1/ready')).ok, { timeoutMs: 20_000 })
  const statuses = await Promise.all(
    [`${key}1`, `${key}2`, `${key}3`, key].map(
      async (one) => (await server.get('/api/v1/me', { 'x-api-key': one })).status,
    ),
  )
  expect(statuses).toEqual([200, 200, 401, 401])
  await waitFor(() => server.stderr().includes('DATAAGENT_API_KEYS'))
  expect(server.stdout() + server.stderr()).not.toContain(key)
})

test('authentication off lets everyone in on loopback, and warns at each start [D19.5]', async () => {
  await using directory = await temporaryDirectory()
  const env = { DATAAGENT_AUTH_DISABLED: 'true' }
  await using server = runServer({ dataDir: directory.path, env })
  expect((await server.get('/api/v1/me')).status).toBe(200)
  const warning = server.records().find(({ level }) => level === 'warning')
  expect(warning?.message).toContain('authentication is off')
})

test('a database file that is deleted under the server ends its readiness, with the reason', async () => {
  await using directory = await temporaryDirectory()
  await using server = runServer({ dataDir: directory.path })
  await server.shownKey()
  await waitFor(async () => (await server.get('/api/v1/ready')).status === 200)
  await rm(join(directory.path, 'dataagent.db'))
  await waitFor(async () => (await server.get('/api/v1/ready')).status === 503)
  await waitFor(() => server.stdout().includes('the file was deleted'))
})

test('a second server on the same data directory is warned of, not after the first has ended', async () => {
  await using directory = await temporaryDirectory()
  await using first = runServer({ dataDir: directory.path })
  await first.url()
  await using second = runServer({ dataDir: directory.path })
  await second.url()
  const warned = 'another server uses this data directory'
  expect([first, second].map((one) => one.stdout().includes(warned))).toEqual([false, true])
  for (const one of [first, second]) {
    one.process.kill('SIGKILL')
    await one.ended
  }
  await using third = runServer({ dataDir: directory.path })
  await third.url()
  expect(third.stdout()).not.toContain(warned)
})

describe('a start that cannot be', () => {
  test.each([
    [['--host', '0.0.0.0'], {}, 'DATAAGENT_API_KEYS', ' [D19.5]'],
    [
      ['--host', '0.0.0.0', '--auth-disabled'],
      { DATAAGENT_API_KEYS: key },
      'DATAAGENT_AUTH_DISABLED',
      ' [D19.5]',
    ],
    [['--port', 'x'], {}, 'port: expected a whole number', ''],
    [[], { DATAAGENT_MASTER_KEY: 'canary-too-short' }, 'master key', ''],
  ])('%j %j exits with 2 and says why: %s%s', async (args, env, expected, _proves) => {
    await using directory = await temporaryDirectory()
    await using server = runServer({ dataDir: directory.path, args, env })
    expect(await server.ended).toBe(2)
    expect(server.stderr()).toContain(expected)
    expect(server.stdout() + server.stderr()).not.toMatch(/canary|a-configured-key|at .*\.ts:/)
  })

  test('for a port in use names another', async () => {
    await using directory = await temporaryDirectory()
    const other = createServer().listen(0, '127.0.0.1')
    await waitFor(() => other.listening)
    const { port } = other.address() as { port: number }
    await using server = runServer({ dataDir: directory.path, args: ['--port', String(port)] })
    expect(await server.ended).toBe(1)
    expect(server.stderr()).toContain(`--port ${port + 1}`)
    other.close()
  })

  test('for a data directory that cannot be made names the setting', async () => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'a-file')
    await writeFile(file, '')
    await using server = runServer({ dataDir: join(file, 'data') })
    expect(await server.ended).toBe(2)
    expect(server.stderr()).toContain('--data-dir')
  })

  test('for a master key that is not the one of the data changes nothing [F34]', async () => {
    await using directory = await temporaryDirectory()
    await using first = runServer({ dataDir: directory.path })
    await first.shownKey()
    first.process.kill('SIGTERM')
    await first.ended
    const env = { DATAAGENT_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
    await using second = runServer({ dataDir: directory.path, env })
    expect(await second.ended).toBe(2)
    expect(second.stderr()).toContain('The master key is not the one')
    const key = join(directory.path, 'master.key')
    await rename(key, `${key}.away`)
    await using without = runServer({ dataDir: directory.path })
    expect(await without.ended).toBe(2)
    expect(without.stderr()).toContain('The master key is missing')
    expect(await readdir(directory.path)).not.toContain('master.key')
    await rename(`${key}.away`, key)
    await using third = runServer({ dataDir: directory.path })
    await waitFor(() => third.stderr().includes('--new-admin-key'), { timeoutMs: 20_000 })
  })

  test('for a database that is none names the file, also in Chinese', async () => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'dataagent.db')
    await writeFile(file, 'this is no database '.repeat(500))
    await using server = runServer({ dataDir: directory.path })
    expect(await server.ended).toBe(2)
    expect(server.stderr()).toContain(`${file} is damaged, or is no SQLite database`)
    await using chinese = runServer({ dataDir: directory.path, args: ['--lang', 'zh'] })
    expect(await chinese.ended).toBe(2)
    expect(chinese.stderr()).toContain(`${file} 已损坏`)
  })

  test('for a database that cannot be written names the file', async () => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'dataagent.db')
    await mkdir(file)
    await using server = runServer({ dataDir: directory.path })
    expect(await server.ended).toBe(2)
    expect(server.stderr()).toContain(`The database ${file} cannot be opened or written`)
  })

  test('for a key file that others can read says how to close it [T60]', async () => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'key')
    await writeFile(file, Buffer.alloc(32, 7).toString('base64'))
    await chmod(file, 0o644)
    const env = { DATAAGENT_MASTER_KEY_FILE: file }
    await using server = runServer({ dataDir: directory.path, env })
    expect(await server.ended).toBe(2)
    expect(server.stderr()).toContain(`chmod 600 ${file}`)
  })
})

test('--help and --version print to standard output and exit with 0, in the language asked for', async () => {
  const dataDir = '/no/such/directory'
  await using help = runServer({ dataDir, args: ['--help', '--lang', 'zh'] })
  await using version = runServer({ dataDir, args: ['--version'] })
  expect([await help.ended, await version.ended]).toEqual([0, 0])
  expect(help.stdout()).toContain('监听端口')
  expect(version.stdout()).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('what is logged is from the level on that is set [D11.5]', { timeout: 90_000 }, async () => {
  const levelsOf = async (env: Record<string, string>) => {
    await using directory = await temporaryDirectory()
    await using server = runServer({
      ...{ dataDir: directory.path, env: { DATAAGENT_AUTH_DISABLED: 'true', ...env } },
    })
    // Below the level of the record that tells where it listens, people are still told.
    const find = () => /127\.0\.0\.1:(\d+)/.exec(server.stderr())?.[1]
    const port = await waitFor(find, { timeoutMs: 60_000, what: 'the address' })
    await sayNonsense(Number(port))
    server.process.kill('SIGTERM')
    await server.ended
    return [...new Set(server.records().map(({ level }) => level))].sort()
  }
  const levels = await Promise.all([
    levelsOf({ DATAAGENT_LOG_LEVEL: 'warning' }),
    levelsOf({}),
    levelsOf({ DATAAGENT_LOG_LEVEL: 'debug' }),
  ])
  expect(levels).toEqual([['warning'], ['info', 'warning'], ['debug', 'info', 'warning']])
})

/** What is no HTTP is told of at the level debug; resolves when it has been refused. */
async function sayNonsense(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').resume()
  socket.write('nonsense\r\n\r\n')
  await once(socket, 'close')
}

test('a log that nobody can write (a full disk) neither stops the server nor keeps it from ending [F20]', async () => {
  await using directory = await temporaryDirectory()
  await mkdir(join(directory.path, 'data'))
  const { spawn } = await import('node:child_process')
  const { fileURLToPath } = await import('node:url')
  const port = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
  const main = fileURLToPath(new URL('./main.ts', import.meta.url))
  const command = `exec "${process.execPath}" --conditions=dataagent-source "${main}" --data-dir "${directory.path}/data" --port ${port} --log-level debug >/dev/full 2>&1`
  const child = spawn('/bin/sh', ['-c', command], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  try {
    const ask = () => fetch(`http://127.0.0.1:${port}/api/v1/health`)
    await waitFor(async () => (await ask()).ok, { timeoutMs: 20_000 })
    for (let i = 0; i < 50; i++) expect((await ask()).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
  }
})
