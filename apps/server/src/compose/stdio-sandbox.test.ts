import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bubblewrap } from '@dataagent/guard'
import type { RegisteredServer } from '@dataagent/hub'
import { type ConnectionTestResult, createSecret } from '@dataagent/schema'
import { ensureBinary, reportSkip, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { greeterCommand } from '../api/test-stdio-server.ts'
import type { Config } from '../config/index.ts'
import { startTestPlatform } from '../testing/test-platform.ts'
import { createSandboxRule, type SandboxRuleOptions } from './stdio-sandbox.ts'

const hasBubblewrap = await ensureBinary('bwrap', 'bubblewrap')
if (!hasBubblewrap) reportSkip(import.meta.filename, 'bubblewrap is not here')

/** The greeter, which first runs `code` and keeps in `note` what it gave, or why it failed. */
function nosyCommand(code: string, note: string) {
  const [flag, program] = greeterCommand.args as [string, string]
  const nosy = `const fs = require('node:fs')
    const tried = () => { try { return ${code} } catch (error) { return error.code } }
    fs.writeFileSync(process.argv[1], String(tried()))`
  return { command: greeterCommand.command, args: [flag, `${nosy}\n${program}`, note] }
}

/** What the code gave in a server that the administrator has tried. */
async function findOut(code: (dataDir: string) => string, config: Partial<Config> = {}) {
  await using server = await startTestPlatform({ config })
  await using folder = await temporaryDirectory()
  const note = join(folder.path, 'note')
  const tried = await server.ask<ConnectionTestResult>('POST', '/mcp-servers/test', {
    as: 'operator',
    json: { scope: 'platform', config: { name: 'x', ...nosyCommand(code(server.dir), note) } },
  })
  expect(tried.body).toMatchObject({ ok: true, tool_count: 1 })
  return await readFile(note, 'utf8')
}

describe.runIf(hasBubblewrap)('a command that an administrator has chosen', () => {
  const seesKey = (dir: string) => `fs.existsSync(${JSON.stringify(join(dir, 'dataagent.db'))})`
  const seesHost = () => `fs.existsSync('/proc/${process.pid}/environ')`

  test('sees neither the data of this server nor its process [T2]', async () => {
    expect(await findOut(seesKey)).toBe('false')
    expect(await findOut(seesHost)).toMatch(/^false$/)
  })

  test('reads other files of the host, and writes what is not named nowhere', async () => {
    const file = JSON.stringify(import.meta.filename)
    expect(await findOut(() => `fs.readFileSync(${file}).length > 100`)).toBe('true')
    expect(await findOut(() => `fs.writeFileSync(${file} + '.canary', '')`)).toBe('EROFS')
  })

  test('runs as before where the setting says so', async () => {
    expect(await findOut(seesKey, { stdio_sandbox: 'off' })).toBe('true')
  })
})

describe('the rule', () => {
  const server = {
    ...{ tenant_id: 'default', user_id: null },
    config: { transport: 'stdio', command: 'x', args: [], env: {} },
  } as unknown as RegisteredServer

  const createRule = (config: object, options: Partial<SandboxRuleOptions> = {}) =>
    createSandboxRule({
      config: {
        ...{ multi_tenant: false, stdio_sandbox: 'auto', session_store: 'sqlite' },
        ...{ data_dir: '/srv/data', ...config },
      } as unknown as Config,
      templates: { networkOf: () => undefined },
      log: { warn: () => {} },
      ...options,
    })

  test('hides a key file, the settings and a database elsewhere too', () => {
    const files = { master_key_file: '/srv/key', config_file: '/srv/settings.json' }
    const database_url = createSecret('sqlite:///srv/db/own.db')
    const { hide } = createRule({ ...files, database_url })(server)!
    const wanted = ['/srv/data', '/srv/key', '/srv/settings.json', '/srv/db/own.db']
    expect(hide).toEqual(expect.arrayContaining([...wanted, '/srv/db/own.db-wal']))
  })

  const none: [Bubblewrap, string, RegExp][] = [
    [{ status: 'missing' }, 'bubblewrap is not installed', /: install bubblewrap/],
    [{ status: 'broken', path: 'bwrap', reason: 'No permissions' }, 'No permissions', /not let/],
  ]
  test.each(none)('tells the operator once where it finds %o', async (found, reason, text) => {
    const told: unknown[] = []
    const log = { warn: (...fields: unknown[]) => void told.push(fields) }
    const rule = createRule({}, { find: async () => found, log })
    rule(server)
    rule(server)
    await waitFor(() => told.length > 0)
    expect(told).toEqual([[{ reason }, expect.stringMatching(text)]])
  })

  test("treats a server of the terminal's own files as an administrator's", () => {
    const user = { ...server, user_id: 'admin' }
    for (const config of [{}, { multi_tenant: true }]) {
      const rule = createRule(config, { isOfFile: (one) => one === user })
      expect(rule(user)).toMatchObject({ mode: 'preferred', files: 'host', network: true })
    }
    const off = createRule({ stdio_sandbox: 'off' }, { isOfFile: () => true })
    expect(off(user)).toBeUndefined()
  })

  test("gives a user's command the network that its template says", () => {
    const user = { ...server, user_id: 'ada' }
    const networkOf = (network: boolean | undefined) =>
      createRule({}, { templates: { networkOf: () => network } })(user)?.network
    expect([networkOf(false), networkOf(true), networkOf(undefined)]).toEqual([false, true, true])
  })
})
