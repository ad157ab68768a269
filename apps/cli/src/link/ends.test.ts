import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServerConfigInput } from '@dataagent/schema'
import {
  firstLine,
  type HostileCommand,
  hostileServerCommand,
  startModelStandIn,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Link } from './contract.ts'
import { openLocal } from './open-local.ts'
import { openTestPlace, type TestPlace, untilNone } from './test-link.ts'

let server: HostileCommand
/** Its processes are known by the file that they are told to write. */
let mark: string
beforeAll(async () => {
  server = await hostileServerCommand('none')
  mark = JSON.parse(server.args[1]!).notesFile
})
afterAll(() => server[Symbol.asyncDispose]())

const servers = (): ServerConfigInput[] => [
  { name: 'local', command: server.command, args: [...server.args] },
]

/** A link whose server over stdio runs, and the processes of the two. */
async function openWithServer(place: TestPlace): Promise<Link> {
  const link = await openLocal(place.options)
  await link.setServers!(servers())
  await waitFor(() => place.processes(mark).length > 0, { timeoutMs: 20_000, what: 'the server' })
  return link
}

test('a link that is disposed of leaves no process, and cannot be used any more', async () => {
  await using place = await openTestPlace()
  const link = await openWithServer(place)
  const isLost = link.lost.then(() => true)
  await link[Symbol.asyncDispose]()
  expect([place.processes(), place.processes(mark)]).toEqual([[], []])
  await expect(link.setServers!([])).rejects.toThrow('is closed')
  expect(await Promise.race([isLost, Promise.resolve(false)])).toBe(false)
  const log = await readFile(place.options.logFile, 'utf8')
  expect(log.trimEnd().split('\n').at(-1)).toContain('"stopped"')
})

describe.each(['SIGHUP', 'SIGKILL'] as const)('a platform that gets %s', (signal) => {
  test('ends with its servers, and the terminal learns of it', async () => {
    await using place = await openTestPlace()
    await using link = await openWithServer(place)
    const [pid] = place.processes()
    process.kill(pid!, 'SIGINT')
    process.kill(pid!, signal)
    const told = await link.lost
    expect(told).toContain(signal === 'SIGKILL' ? 'SIGKILL' : 'exit code 0')
    expect(told).toContain(place.options.logFile)
    await untilNone(place.options.dataDir!, mark)
  })
})

test('a terminal that is killed takes its platform and all servers with it [F19]', async () => {
  await using place = await openTestPlace()
  const program = fileURLToPath(new URL('./test-holder.ts', import.meta.url))
  const given = JSON.stringify({ ...place.options, servers: servers() })
  const env = { ...place.options.env, TEST_LINK: given } as NodeJS.ProcessEnv
  const terminal = spawn(process.execPath, ['--conditions=dataagent-source', program], { env })
  expect(await firstLine(terminal)).toBe('open')
  await waitFor(() => place.processes(mark).length > 0, { timeoutMs: 20_000, what: 'the server' })
  terminal.kill('SIGKILL')
  await once(terminal, 'exit')
  await untilNone(place.options.dataDir!, mark)
})

test('an opening that is given up leaves no process', async () => {
  await using place = await openTestPlace()
  const giveUp = new AbortController()
  const opening = openLocal({ ...place.options, signal: giveUp.signal })
  await waitFor(() => place.processes().length > 0, { what: 'the platform' })
  giveUp.abort(new Error('given up'))
  await expect(opening).rejects.toThrow('given up')
  expect(place.processes()).toEqual([])
})

test('what the operator can mend is told with where the log is', async () => {
  await using place = await openTestPlace({ DATAAGENT_LOG_LEVEL: 'loud' })
  const { logFile } = place.options
  const opening = openLocal(place.options)
  await expect(opening).rejects.toMatchObject({
    ...{ name: 'LinkError', fault: 'platform', message: expect.stringContaining('log_level') },
  })
  await expect(opening).rejects.toThrow(logFile)
  const inChinese = openLocal({ ...place.options, lang: 'zh' })
  await expect(inChinese).rejects.toThrow('无法启动本地平台')
})

test('a data directory that is a file, or a log that cannot be written, is named', async () => {
  await using place = await openTestPlace()
  const { dataDir, logFile } = place.options
  await writeFile(dataDir!, '')
  await expect(openLocal(place.options)).rejects.toThrow(`${dataDir} is a file`)
  const noLog = openLocal({ ...place.options, logFile: join(logFile, 'below', 'a file') })
  await expect(noLog).rejects.toThrow('cannot be written (ENOTDIR)')
})

test('two terminals work on one data directory, each in its folder, with its own servers', async () => {
  const model = await startModelStandIn({ script: () => ({ text: 'Done.' }) })
  await using cleanup = new AsyncDisposableStack()
  cleanup.use(model)
  const place = cleanup.use(
    await openTestPlace({
      ...{ OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: model.apiKey },
      ...{ DATAAGENT_MODEL: 'openai:standin' },
    }),
  )
  const other = join(place.options.folder, '..', 'other')
  await mkdir(other)
  const [one, two] = await Promise.all([
    openLocal(place.options),
    openLocal({ ...place.options, folder: other }),
  ])
  cleanup.use(one)
  cleanup.use(two)
  await one.setServers!(servers())
  await waitFor(async () => (await toolsOf(one)).includes('echo'), { timeoutMs: 20_000 })
  expect(await toolsOf(two)).not.toContain('echo')
  const turns = [one, two].map((link) => link.client.chat.send({ message: 'hello' }))
  for (const { events } of await Promise.all(turns)) {
    expect(events.map(({ event_type }) => event_type)).toEqual(
      expect.arrayContaining(['text', 'done']),
    )
  }
  await Promise.all([one, two].map((link, at) => link.client.files.write(`${at}`, 'x')))
  expect((await one.client.files.list({ path: '.' })).entries.map(({ path }) => path)).toEqual([
    '0',
  ])
  const { sessions } = await two.client.sessions.list()
  expect(sessions).toHaveLength(2)
})

async function toolsOf({ client }: Link): Promise<string[]> {
  const { tools } = await client.tools.list()
  return tools.map(({ name }) => name)
}
