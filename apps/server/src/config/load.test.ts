import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { inspect, promisify } from 'node:util'
import { temporaryDirectory } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { type ConfigInput, type LoadedConfig, loadConfig } from './load.ts'

const key = 'a-key-of-good-length-1'

function load(input: Partial<ConfigInput> = {}): LoadedConfig {
  return loadConfig({ argv: [], env: {}, sharedDir: '/does/not/exist', ...input })
}

function configOf(input: Partial<ConfigInput> = {}) {
  const loaded = load(input)
  if (loaded.status !== 'ok') throw new Error(inspect(loaded))
  return loaded.config
}

function messageOf(input: Partial<ConfigInput>): string {
  const loaded = load(input)
  if (loaded.status !== 'invalid') throw new Error(`it was ${loaded.status}`)
  return loaded.message
}

function warningsOf(input: Partial<ConfigInput>): string[] {
  const loaded = load(input)
  return loaded.status === 'ok' ? loaded.warnings : []
}

describe('values', () => {
  test('are read from the environment, lists split at commas [D20.1]', () => {
    const env = {
      DATAAGENT_HOST: '10.0.0.1',
      DATAAGENT_PORT: '9001',
      DATAAGENT_WORKERS: '4',
      DATAAGENT_API_KEYS: `${key}1, ${key}2`,
      DATAAGENT_CORS_ORIGINS: 'https://a.example,https://b.example:8443',
      DATAAGENT_SESSION_TIMEOUT: '60',
    }
    const config = configOf({ env })
    expect(config).toMatchObject({
      host: '10.0.0.1',
      port: 9001,
      workers: 4,
      cors_origins: ['https://a.example', 'https://b.example:8443'],
      session_timeout: 60,
    })
    expect(config.api_keys.map((one) => one.reveal())).toEqual([`${key}1`, `${key}2`])
  })

  test('have the documented defaults [D20.2]', () => {
    expect(configOf({ env: { DATAAGENT_API_KEYS: key } })).toMatchObject({
      host: '0.0.0.0',
      port: 8000,
      workers: 1,
      cors_origins: [],
      session_timeout: 3600,
    })
  })

  test('of flags win over the environment, and that over the file [D20.3]', async () => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'settings.json')
    await writeFile(file, JSON.stringify({ port: 1, workers: 2, session_timeout: 3 }))
    const env = { DATAAGENT_PORT: '11', DATAAGENT_WORKERS: '12', DATAAGENT_CONFIG: file }
    const config = configOf({ env, argv: ['--port', '21'] })
    expect(config).toMatchObject({ port: 21, workers: 12, session_timeout: 3 })
  })

  test('are all optional: nothing set gives a start that is safe and works [D20.4]', () => {
    expect(configOf()).toMatchObject({
      host: '127.0.0.1',
      port: 8000,
      session_store: 'sqlite',
      data_dir: join(homedir(), '.dataagent'),
    })
  })

  test('that are empty in the environment count as not set', () => {
    expect(configOf({ env: { DATAAGENT_PORT: '', REDIS_URL: '' } }).port).toBe(8000)
  })

  test('cannot be changed once read', () => {
    expect(Object.isFrozen(configOf())).toBe(true)
  })

  test('that are secret are not printed', () => {
    const env = { DATAAGENT_API_KEYS: key, DATABASE_URL: 'mysql://u:canary@h/d' }
    const config = configOf({ env })
    const printed = `${inspect(config)} ${JSON.stringify(config)} ${config.database_url}`
    expect(printed).not.toMatch(/canary|a-key-of/)
    expect(config.database_url?.reveal()).toBe('mysql://u:canary@h/d')
  })
})

describe('flags', () => {
  test.each([
    [['--port', '9000'], { port: 9000 }],
    [['--port=9000'], { port: 9000 }],
    [['-p', '9000'], { port: 9000 }],
    [['--auth-disabled'], { auth_disabled: true }],
    [['--auth-disabled=false'], { auth_disabled: false }],
    [['--log-level', 'WARNING'], { log_level: 'warning' }],
  ])('%j are understood', (argv, expected) => {
    expect(configOf({ argv })).toMatchObject(expected)
  })

  test('turn a switch of the environment off', () => {
    const env = { DATAAGENT_AUTH_DISABLED: 'true' }
    expect(configOf({ env, argv: ['--no-auth-disabled'] }).auth_disabled).toBe(false)
  })

  test('that do not exist are refused with the nearest name', () => {
    expect(messageOf({ argv: ['--prot', '9000'] })).toContain(
      '--prot: no such flag. Did you mean --port?',
    )
    expect(messageOf({ argv: ['9000'] })).toContain('9000: no such flag')
  })

  test('without their value are refused', () => {
    expect(messageOf({ argv: ['--port'] })).toContain('--port: needs a value')
  })

  test('that carry a secret are warned of', () => {
    expect(warningsOf({ argv: ['--api-keys', key] }).join()).toContain('use DATAAGENT_API_KEYS')
  })
})

describe('a bad value', () => {
  test('names the field, its origin, what was expected and what came; all are listed at once', () => {
    const env = { DATAAGENT_PORT: 'http', DATAAGENT_CORS_ORIGINS: 'https://a.example/path' }
    const message = messageOf({ env, argv: ['--workers', '0'] })
    expect(message).toContain(
      'port: expected a whole number from 0 to 65535, got "http" (from environment variable DATAAGENT_PORT)',
    )
    expect(message).toContain(
      'workers: expected a whole number from 1 to 256, got "0" (from flag --workers)',
    )
    expect(message).toContain('cors_origins: expected origins')
  })

  test('that holds what is a secret elsewhere is not told whole', async () => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'settings.json')
    const url = 'mysql://u:canary@h/d'
    const settings = { session_store: { database_url: url }, port: [url], workers: url }
    await writeFile(file, JSON.stringify(settings))
    const message = messageOf({ argv: ['--config', file] })
    expect(message).toContain('got an object')
    expect(message).toContain('got a list')
    expect(message).toContain('got "mysql://***@h/d"')
    expect(message).not.toContain('canary')
  })

  test('or name of any length is told on one short line that moves no cursor', async () => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'settings.json')
    const settings = { ['k'.repeat(1_000_000)]: 1, '\u001b[2J\u202e': 1, lang: '\u001b[2J\u202e' }
    await writeFile(file, JSON.stringify(settings))
    const begun = performance.now()
    const message = messageOf({ argv: ['--config', file] })
    expect(performance.now() - begun).toBeLessThan(2_000)
    expect(message.length).toBeLessThan(2_000)
    expect(message).not.toMatch(/\p{Cf}|(?!\n)\p{Cc}/u)
  })

  test('is told in Chinese where the locale is', () => {
    const env = { DATAAGENT_PORT: 'x', LANG: 'zh_CN.UTF-8' }
    expect(messageOf({ env })).toContain(
      'port: 应为0 到 65535 的整数，实际为 "x"（来自环境变量 DATAAGENT_PORT）',
    )
  })

  test.each([
    ['REDIS_URL', 'http://canary'],
    ['DATABASE_URL', 'oracle://user:canary@host/db'],
    ['DATAAGENT_API_KEYS', 'canary with spaces'],
  ])('of %s is refused without being shown', (name, value) => {
    const message = messageOf({ env: { [name]: value } })
    expect(message).toContain(name)
    expect(message).not.toContain('canary')
  })
})

describe('the file', () => {
  test('is found in the data directory', async () => {
    await using directory = await temporaryDirectory()
    await writeFile(join(directory.path, 'dataagent.config.json'), '{"port": 7000}')
    const env = { DATAAGENT_DATA_DIR: directory.path }
    expect(configOf({ env })).toMatchObject({ port: 7000, data_dir: directory.path })
  })

  test('with an unknown or misplaced key is refused', async () => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'dataagent.config.json')
    await writeFile(file, '{"prot": 7000, "data_dir": "/elsewhere"}')
    const message = messageOf({ argv: ['--data-dir', directory.path] })
    expect(message).toContain(`prot: no such setting. Did you mean port? (from file ${file})`)
    expect(message).toContain('data_dir: cannot be set in the file that is found through it')
  })

  test.each([
    ['{"redis_url": "canary', 'is not valid JSON'],
    ['[]', 'must hold one JSON object'],
  ])('%j is refused without quoting it', async (content, expected) => {
    await using directory = await temporaryDirectory()
    await writeFile(join(directory.path, 'dataagent.config.json'), content)
    const message = messageOf({ argv: ['--data-dir', directory.path] })
    expect(message).toContain(expected)
    expect(message).not.toContain('canary')
  })

  test('that was named must exist', () => {
    expect(messageOf({ argv: ['--config', '/no/such.json'] })).toContain(
      '/no/such.json: cannot be read',
    )
  })

  test.each([
    [0o600, 0],
    [0o644, 1],
    [0o640, 1],
  ])('with secrets and mode %o gives %i warnings', async (mode, count) => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'dataagent.config.json')
    await writeFile(file, JSON.stringify({ api_keys: [key] }))
    await chmod(file, mode)
    expect(warningsOf({ argv: ['--data-dir', directory.path] })).toHaveLength(count)
  })
})

describe.skipIf(process.platform === 'win32')('what another user can write', () => {
  test.each([0o620, 0o602])('is not read as the file: mode %o', async (mode) => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'dataagent.config.json')
    await writeFile(file, '{"public_url": "https://attacker.example"}')
    await chmod(file, mode)
    expect(messageOf({ argv: ['--data-dir', directory.path] })).toContain(`chmod go-w ${file}`)
  })

  test('is not taken as the data directory, unless it is sticky', async () => {
    await using directory = await temporaryDirectory()
    const argv = ['--data-dir', directory.path]
    await chmod(directory.path, 0o777)
    expect(messageOf({ argv })).toContain(`data_dir: other users can write ${directory.path}`)
    await chmod(directory.path, 0o1777)
    expect(configOf({ argv }).data_dir).toBe(directory.path)
  })

  test.skipIf(process.getuid?.() !== 0)('is what belongs to them', async () => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'dataagent.config.json')
    await writeFile(file, '{}')
    await chown(file, 12_345, 12_345)
    expect(messageOf({ argv: ['--data-dir', directory.path] })).toContain(`${file} belongs to`)
  })
})

describe('listening beyond this machine', () => {
  const hosts = ['0.0.0.0', '::', '192.168.1.7', 'example.com']
  const loopbacks = ['127.0.0.1', '127.8.8.8', '::1', 'localhost']

  test.each(hosts)('on %s without a key is refused, naming the settings [T38]', (host) => {
    const message = messageOf({ env: { DATAAGENT_HOST: host } })
    expect(message).toContain('DATAAGENT_API_KEYS')
    expect(message).toContain('DATAAGENT_HOST')
  })

  test.each(hosts)('on %s with authentication off is refused though keys are set [T38]', (host) => {
    const env = { DATAAGENT_HOST: host, DATAAGENT_API_KEYS: key, DATAAGENT_AUTH_DISABLED: 'true' }
    expect(messageOf({ env })).toContain('DATAAGENT_AUTH_DISABLED')
  })

  test.each(hosts)('on %s with a key is allowed', (host) => {
    expect(configOf({ env: { DATAAGENT_HOST: host, DATAAGENT_API_KEYS: key } }).host).toBe(host)
  })

  test.each(loopbacks)('is not what %s does', (host) => {
    expect(configOf({ env: { DATAAGENT_HOST: host } }).host).toBe(host)
    expect(configOf({ argv: ['--host', host, '--auth-disabled'] }).host).toBe(host)
  })

  test('is not the default while authentication is off', () => {
    const env = { DATAAGENT_API_KEYS: key, DATAAGENT_AUTH_DISABLED: 'true' }
    expect(configOf({ env }).host).toBe('127.0.0.1')
  })

  test('by any web page is refused while authentication is off', () => {
    const env = { DATAAGENT_CORS_ORIGINS: '*', DATAAGENT_AUTH_DISABLED: 'true' }
    expect(messageOf({ env })).toContain('cors_origins')
  })
})

describe('stores', () => {
  test('are chosen by DATAAGENT_SESSION_STORE', () => {
    for (const session_store of ['memory', 'sqlite', 'mysql'] as const) {
      const env = { DATAAGENT_SESSION_STORE: session_store }
      expect(configOf({ env }).session_store).toBe(session_store)
    }
  })

  test('of MySQL are described by five variables [D25.3]', () => {
    const env = {
      DATAAGENT_SESSION_STORE: 'mysql',
      DATAAGENT_MYSQL_HOST: 'db.example',
      DATAAGENT_MYSQL_PORT: '3307',
      DATAAGENT_MYSQL_USER: 'agent',
      DATAAGENT_MYSQL_PASSWORD: 'p@ss word',
      DATAAGENT_MYSQL_DATABASE: 'data',
    }
    const config = configOf({ env })
    expect(config).toMatchObject({
      mysql_host: 'db.example',
      mysql_port: 3307,
      mysql_user: 'agent',
      mysql_database: 'data',
    })
    expect(config.mysql_password?.reveal()).toBe('p@ss word')
  })

  test('of Redis hold sessions; all else is in the database', () => {
    const env = { DATAAGENT_SESSION_STORE: 'redis', REDIS_URL: 'redis://h' }
    expect(configOf({ env }).session_store).toBe('redis')
    const both = { ...env, DATABASE_URL: 'postgres://h/d' }
    expect(configOf({ env: both }).session_store).toBe('redis')
    const fleeting = { ...env, DATABASE_URL: 'sqlite::memory:', DATAAGENT_WORKERS: '2' }
    expect(messageOf({ env: fleeting })).toContain('cannot share')
  })

  test.each([
    ['mysql+pymysql://u:p@h/d', 'mysql'],
    ['postgresql+asyncpg://u:p@h/d', 'postgres'],
    ['sqlite:///tmp/x.db', 'sqlite'],
  ])('follow DATABASE_URL=%s', (url, kind) => {
    expect(configOf({ env: { DATABASE_URL: url } }).session_store).toBe(kind)
  })

  test.each([
    [{ DATAAGENT_SESSION_STORE: 'postgres' }, 'postgres needs DATABASE_URL'],
    [{ DATAAGENT_SESSION_STORE: 'redis' }, 'redis needs REDIS_URL'],
    [{ DATAAGENT_SESSION_STORE: 'mongo' }, 'one of sqlite, mysql, postgres, redis, memory'],
    [{ DATAAGENT_TLS_CERT: 'a.pem' }, 'tls_cert: is one half'],
    [{ DATAAGENT_TRUSTED_PROXIES: '10.0.0.0/33' }, 'trusted_proxies: expected addresses'],
    [{ DATAAGENT_OTLP_HEADERS: 'novalue' }, 'otlp_headers: expected name=value pairs'],
    [{ DATAAGENT_SESSION_STORE: 'memory', DATABASE_URL: 'mysql://h/d' }, 'names a mysql database'],
    [{ DATABASE_URL: 'sqlite::memory:', DATAAGENT_WORKERS: '2' }, 'cannot share'],
    [{ DATAAGENT_MYSQL_HOST: 'db' }, 'mysql_host: is set, but session_store is sqlite'],
    [{ DATAAGENT_MYSQL_USER: 'u', DATABASE_URL: 'mysql://h/d' }, 'mysql_user: is set together'],
    [
      { DATAAGENT_SESSION_STORE: 'mysql', DATABASE_URL: 'postgres://h/d' },
      'names a postgres database',
    ],
    [{ DATAAGENT_SESSION_STORE: 'memory', DATAAGENT_WORKERS: '2' }, 'cannot share'],
    [{ DATAAGENT_MASTER_KEY: 'a', DATAAGENT_MASTER_KEY_FILE: 'b' }, 'master_key_file'],
  ])('%j is refused', (env, expected) => {
    expect(messageOf({ env })).toContain(expected)
  })
})

test('each value says where it came from', async () => {
  await using directory = await temporaryDirectory()
  await writeFile(join(directory.path, 'dataagent.config.json'), '{"workers": 2}')
  const argv = ['--data-dir', directory.path, '--port', '1']
  const { origins } = configOf({ argv, env: { DATAAGENT_LANG: 'zh' } })
  expect(origins).toMatchObject({ port: 'flag', lang: 'env', workers: 'file', host: 'default' })
})

test.each(['10.1.2.3', '10.0.0.0/8', '::1', 'fd00::/8', 'loopback'])(
  '%s may be trusted as a proxy',
  (address) => {
    const env = { DATAAGENT_TRUSTED_PROXIES: address }
    expect(configOf({ env }).trusted_proxies).toEqual([address])
  },
)

test('a key of another tenant needs several tenants to be allowed [D35.1]', () => {
  const env = { DATAAGENT_API_KEYS: `tenant=acme;user=ada;key=${key}` }
  expect(messageOf({ env })).toMatch(/api_keys: .*tenant acme.*DATAAGENT_MULTI_TENANT=true/)
  expect(messageOf({ env: { ...env, DATAAGENT_LANG: 'zh' } })).toContain('有 Key 属于租户 acme')
  expect(messageOf({ env })).not.toContain(key)
  expect(configOf({ env: { ...env, DATAAGENT_MULTI_TENANT: 'true' } }).multi_tenant).toBe(true)
})

test('a further key cannot be made where none is kept', () => {
  const argv = ['--new-admin-key', '--session-store', 'memory']
  expect(messageOf({ argv })).toContain('--new-admin-key: has nowhere to keep a key')
})

describe('the data directory', () => {
  const ofHome = join(homedir(), '.dataagent')

  test('is the shared one where it exists and can be written', async () => {
    await using directory = await temporaryDirectory()
    const sharedDir = join(directory.path, 'data')
    await mkdir(sharedDir)
    expect(configOf({ sharedDir }).data_dir).toBe(sharedDir)
  })

  test('is in the home where that is none, or cannot be written [D32.7]', async () => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'file')
    await writeFile(file, '')
    expect(configOf({ sharedDir: file }).data_dir).toBe(ofHome)
    const closed = join(directory.path, 'closed')
    await mkdir(closed, { mode: 0o555 })
    await chmod(directory.path, 0o755)
    expect(await dataDirForOthers(closed)).toBe('/home/other/.dataagent')
  })

  test('is shared at /data, where nothing else is said [D32.7]', () => {
    const loaded = loadConfig({ argv: [], env: {} })
    const expected = canWrite('/data') ? '/data' : ofHome
    expect(loaded).toMatchObject({ status: 'ok', config: { data_dir: expected } })
  })
})

/** As a user who is not root finds it. */
async function dataDirForOthers(sharedDir: string): Promise<string> {
  const load = JSON.stringify(new URL('./load.ts', import.meta.url).href)
  const input = JSON.stringify({ argv: [], env: {}, sharedDir })
  const script = `import(${load}).then((m) => console.log(m.loadConfig(${input}).config.data_dir))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=dataagent-source', '-e', script],
    { env: { HOME: '/home/other' }, ...(process.getuid?.() === 0 ? { uid: 65_534 } : {}) },
  )
  return stdout.trim()
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

test('a DATAAGENT_ variable that is not known is a warning with the nearest name', () => {
  const [warning] = warningsOf({ env: { DATAAGENT_PROT: '1' } })
  expect(warning).toContain('did you mean DATAAGENT_PORT?')
})

test('a key that can be guessed is a warning', () => {
  expect(warningsOf({ env: { DATAAGENT_API_KEYS: 'short' } }).join()).toContain('can be guessed')
})

test('asking for help or the version wins over everything that is wrong', () => {
  expect(load({ argv: ['--nonsense', '--help'] }).status).toBe('help')
  expect(load({ argv: ['--version'], env: { DATAAGENT_PORT: 'x' } }).status).toBe('version')
})
