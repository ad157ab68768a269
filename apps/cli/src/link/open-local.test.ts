import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  isKnownEvent,
  type Notice,
  type SentEvent,
  type ServerConfigInput,
} from '@dataagent/schema'
import {
  type HostileCommand,
  type HostileHttp,
  hostileServerCommand,
  lastUserText,
  type ModelStandIn,
  type RecordedRequest,
  startAuthorizationServer,
  startHostileHttp,
  startModelStandIn,
  startProtectedResource,
  toolRounds,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Link } from './contract.ts'
import { openLocal } from './open-local.ts'
import { openTestPlace, type TestPlace } from './test-link.ts'

/** "call x {…}" calls the tool of that wire name with these arguments, offered or not. */
function callsWhatItIsTold(request: RecordedRequest) {
  const [, name, args] = /^call (\S+) ?(.*)$/.exec(lastUserText(request)) ?? []
  if (name === undefined || toolRounds(request) > 0) return { text: 'I go on.' }
  return { toolCalls: [{ name, arguments: args || '{}' }] }
}

let model: ModelStandIn
let place: TestPlace
let link: Link
let local: HostileCommand
let web: HostileHttp
beforeAll(async () => {
  model = await startModelStandIn({ script: callsWhatItIsTold })
  place = await openTestPlace({
    ...{ OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: model.apiKey },
    ...{ DATAAGENT_MODEL: 'openai:standin' },
  })
  local = await hostileServerCommand('none')
  web = await startHostileHttp('none')
  link = await openLocal(place.options)
})
afterAll(async () => {
  for (const one of [link, place, local, web, model]) await one?.[Symbol.asyncDispose]()
})

const setServers = (...servers: ServerConfigInput[]) => link.setServers!(servers)
const inTerminal = (): ServerConfigInput => {
  return { name: 'local', command: local.command, args: [...local.args] }
}

/** The names of the tools that the model was offered last. */
const offered = () => model.requests.at(-1)?.tools.map(({ name }) => name) ?? []

async function say(message: string, session_id?: string) {
  const { events, ...rest } = await link.client.chat.send({
    ...{ message, ...(session_id !== undefined && { session_id }) },
  })
  return { ...rest, events, types: events.map(({ event_type }) => event_type) }
}

test('a terminal talks to a platform of its own as the user admin', async () => {
  expect(link).toMatchObject({ kind: 'local', user_id: 'admin', version: '0.1.0' })
  expect(await link.client.identity.me()).toMatchObject({ tenant_id: 'default', role: 'admin' })
  const { events } = await say('hello')
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
})

test('nobody gets in without the key of this start, which no command line shows', async () => {
  const answer = await fetch(`${link.url}/api/v1/me`, { headers: { 'x-api-key': 'guessed' } })
  expect(answer.status).toBe(401)
  const [pid] = place.processes()
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8')
  const key = await readFile(`/proc/${pid}/environ`, 'utf8').then(
    (text) => /DATAAGENT_API_KEYS=([^\0]+)/.exec(text)?.[1],
  )
  expect(key).toMatch(/^[\w-]{43}$/)
  expect(command).not.toContain(key)
  expect(await readFile(place.options.logFile, 'utf8')).not.toContain(key)
})

test('the agent reads the files of the folder, asks before it changes them, and makes nothing else', async () => {
  const { folder } = place.options
  await writeFile(join(folder, 'given.txt'), 'what was there')
  const { events } = await say('call read_file {"path":"given.txt"}')
  expect(JSON.stringify(events)).toContain('what was there')
  const { session_id } = await link.client.sessions.create()
  using socket = link.client.connect(session_id)
  const asked = untilAsked(socket)
  await socket.send('call write_file {"path":"src/made.txt","content":"made by the agent"}')
    .accepted
  const approval_id = await asked
  expect(await readdir(folder)).toEqual(['given.txt'])
  await socket.decide(approval_id, { type: 'approve' })
  const made = () => readFile(join(folder, 'src', 'made.txt'), 'utf8').catch(() => '')
  await expect.poll(made, { timeout: 20_000 }).toBe('made by the agent')
  expect((await readdir(folder)).sort()).toEqual(['given.txt', 'src'])
  const { entries } = await link.client.files.list({ path: '.' })
  expect(entries.map(({ path }) => path)).toEqual(['given.txt', 'src'])
})

test('servers of files come and go in a session under way, and clients hear of it', async () => {
  const { session_id } = await link.client.sessions.create()
  const notices: string[] = []
  const seen: SentEvent[] = []
  using socket = link.client.connect(session_id, {
    onEvent: (event) => seen.push(event),
    onNotice: (notice) => notices.push(toText(notice as Notice)),
  })
  const turn = async (message: string) => {
    const before = seen.length
    await socket.send(message).accepted
    await waitFor(() => seen.slice(before).some(({ event_type }) => event_type === 'done'), {
      timeoutMs: 20_000,
      what: 'the end of the turn',
    })
  }
  await turn('hello')
  expect(offered().filter((name) => name.startsWith('local--'))).toEqual([])
  await setServers(inTerminal())
  await turn('use local')
  await waitFor(async () => (await statusOf('local')) === 'running', { timeoutMs: 20_000 })
  await turn('use local again')
  expect(offered()).toContain('local--echo')
  await setServers()
  await turn('use local')
  expect(offered().filter((name) => name.startsWith('local--'))).toEqual([])
  expect(notices).toEqual(expect.arrayContaining(['added local', 'removed local']))
})

function toText(notice: Notice): string {
  return notice.event_type === 'mcp_servers_changed'
    ? `${notice.change} ${notice.server_name}`
    : notice.event_type
}

async function statusOf(name: string): Promise<string | undefined> {
  const { servers } = await link.client.userServers.list('admin')
  return servers.find((server) => server.name === name)?.status
}

test('they are connected at once, may be on this machine, and their tools ask before they run', async () => {
  await setServers(inTerminal(), { name: 'web', url: web.url })
  for (const name of ['local', 'web'])
    await waitFor(async () => (await statusOf(name)) === 'running', { timeoutMs: 20_000 })
  for (const name of ['local', 'web']) {
    const { session_id } = await link.client.sessions.create()
    using socket = link.client.connect(session_id)
    const asked = untilAsked(socket)
    await socket.send(`call ${name}--echo {"message":"said to ${name}"}`).accepted
    await socket.decide(await asked, { type: 'approve' })
    const heard = () => model.requests.at(-1)?.turns.at(-1)?.toolResults[0]?.text
    await waitFor(() => heard()?.includes(`said to ${name}`), { timeoutMs: 20_000 })
  }
})

async function untilAsked(events: AsyncIterable<SentEvent>): Promise<string> {
  for await (const event of events)
    if (isKnownEvent(event) && event.event_type === 'hitl_request') return event.approval_id
  throw new Error('nobody was asked')
}

test('whoever sits at the terminal signs in at a server without signing in here first', async () => {
  await using authorization = await startAuthorizationServer()
  await using resource = await startProtectedResource({
    ...{ issuers: () => [authorization.issuer], verify: authorization.verify },
    answer: ({ method }) => (method ? answers[method] : undefined),
  })
  await setServers({ name: 'guarded', url: resource.url })
  const { servers } = await link.client.userServers.list('admin')
  const { authorization_url } = await link.client.servers.beginSignIn(servers[0]!.server_id)
  const answer = await authorization.visit(authorization_url)
  const comeBack = async (query: object) => {
    const search = new URLSearchParams(query as Record<string, string>)
    return (await fetch(`${link.url}/api/v1/oauth/callback?${search}`)).text()
  }
  expect(await comeBack({ code: 'x', state: 'guessed' })).toContain('Not signed in')
  expect(await comeBack(answer)).toContain('go back to the terminal')
  await waitFor(async () => (await statusOf('guarded')) === 'running', { timeoutMs: 20_000 })
})

const answers: Record<string, object> = {
  initialize: {
    ...{ protocolVersion: '2025-11-25', capabilities: { tools: {} } },
    serverInfo: { name: 'guarded', version: '1' },
  },
  'tools/list': { tools: [] },
  ping: {},
}

test('they are changed in their file alone, and one that cannot be is refused with all', async () => {
  await setServers(inTerminal())
  const { servers } = await link.client.userServers.list('admin')
  expect(servers.map(({ name }) => name)).toEqual(['local'])
  await expect(link.client.userServers.delete('admin', 'local')).rejects.toMatchObject({
    ...{ status: 403, message: expect.stringContaining('mcp.json') },
  })
  const bad = { name: 'bad', url: 'nowhere' }
  await expect(setServers(bad)).rejects.toThrow('url')
  expect((await link.client.userServers.list('admin')).servers).toHaveLength(1)
})
