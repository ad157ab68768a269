import { isClientError } from '@dataagent/client'
import type { AnyEvent } from '@dataagent/schema'
import { createDifyProfile } from '@dataagent/testkit'
import type { Person } from '../nodes/people.ts'
import { deleteSession, inChat } from './chat.ts'
import { loseUpstreams } from './losses.ts'
import { patienceMs, type Scene, servers, unkept } from './scene.ts'

/**
 * One round of all kinds of work, as much in each: servers are lost, then people do what they do so
 * many times, beside each other, while a call waits for somebody who never decides.
 */
export async function doRound(scene: Scene, times: number): Promise<void> {
  const [, ...people] = scene.people
  const undecided = leaveUndecided(scene, people[0]!)
  await undecided.begun
  await loseUpstreams(scene)
  const kinds = [talk, listen, approve, cancel, reconnect, keepFiles]
  const work = [
    ...kinds.map((kind, at) => () => kind(scene, people[at + 1]!)),
    () => callTools(scene),
    () => visitByMcp(scene),
    () => changeGroups(scene),
    () => changeKeys(scene),
    () => changeServers(scene),
  ]
  await Promise.all([undecided.ended, ...work.map((kind) => repeat(times, kind))])
}

async function repeat(times: number, work: () => Promise<void>): Promise<void> {
  for (let time = 0; time < times; time += 1) await work()
}

/** Turns by REST, plain and as a stream, with a tool of each server. */
async function talk({ clientOf }: Scene, person: Person): Promise<void> {
  const client = clientOf(person)
  const { session_id } = await client.sessions.create({ title: 'Day' }, unkept)
  for (const server of servers) {
    const message = `call ${server}--echo {"message":"hello"}`
    expectEnd((await client.chat.send({ session_id, message }, unkept)).events)
  }
  const events: AnyEvent[] = []
  for await (const event of client.chat.stream({ session_id, message: 'And?' }, unkept)) {
    events.push(event)
  }
  expectEnd(events)
  await client.sessions.messages(session_id)
  await client.sessions.events(session_id)
  const fork = await client.sessions.fork(session_id, {}, unkept)
  for (const one of [fork.session_id, session_id]) await deleteSession(client, one)
}

/** Turns by WebSocket. */
async function listen(scene: Scene, person: Person): Promise<void> {
  await inChat(scene, { person }, async ({ turn }) => {
    await turn('Hello')
    await turn('call local--slow {"ms":50}')
    await turn('call local--unknown {}')
  })
}

/** One call approved and one rejected, by REST and by the socket. */
async function approve(scene: Scene, person: Person): Promise<void> {
  await inChat(scene, { person }, async ({ turn, asked, client, socket }) => {
    const first = turn('call remote--count {}')
    await client.approvals.decide(await asked(1), { type: 'approve' }).catch(passIfLate)
    await first
    const second = turn('call events--count {}')
    await socket.decide(await asked(2), { type: 'reject', message: 'No.' }).catch(passIfLate)
    await second
  })
}

/** On a busy machine the time may be over: then it was one more that nobody decided about. */
function passIfLate(error: unknown): void {
  if (!isClientError(error, 'conflict')) throw error
}

/** A call that nobody decides about in time. */
function leaveUndecided(scene: Scene, person: Person) {
  const begun = Promise.withResolvers<void>()
  const ended = inChat(scene, { person }, async ({ turn, asked }) => {
    const undecided = turn('call local--count {}')
    await asked()
    begun.resolve()
    await undecided
  })
  ended.catch(begun.reject)
  return { begun: begun.promise, ended }
}

/** Turns that are stopped in the middle of an answer, of a call, and before a decision. */
async function cancel(scene: Scene, person: Person): Promise<void> {
  await inChat(scene, { person }, async ({ turn, saw, asked, client, socket, session_id }) => {
    const story = turn('tell me a story')
    await saw('text')
    socket.cancel()
    await story
    const slow = turn('call remote--slow {"ms":60000}')
    await saw('tool_call')
    await client.chat.cancel(session_id)
    await slow
    const undecided = turn('call local--count {}')
    await asked()
    socket.cancel()
    await undecided
  })
}

/** A socket that is cut twice in an answer. */
async function reconnect(scene: Scene, person: Person): Promise<void> {
  const { door } = scene
  await inChat(scene, { person, url: door.url }, async ({ turn, saw }) => {
    const story = turn('tell me a story')
    for (let cut = 0; cut < 2; cut += 1) {
      await saw('text')
      await door.set({ kind: 'reset' }, 'open')
    }
    await story
  })
}

async function keepFiles({ clientOf }: Scene, person: Person): Promise<void> {
  const { files } = clientOf(person)
  const names = Array.from({ length: 4 }, (_, at) => `day/note-${at}.txt`)
  for (const name of names) await files.write(name, 'x'.repeat(50_000))
  await files.list({ path: 'day' })
  await (await files.read(names[0]!)).text()
  for (const name of [...names, 'day']) await files.delete(name)
}

/** Calls by REST: good ones, one that fails and one that its caller leaves. */
async function callTools({ admin }: Scene): Promise<void> {
  for (const server_id of servers) {
    const args = { message: 'hello' }
    await admin.tools.call({ tool: { server_id, name: 'echo' }, args })
  }
  const nothing = { tool: { server_id: 'remote', name: 'nothing' } }
  await admin.tools.call(nothing).catch(() => {})
  const leaving = new AbortController()
  const slow = { tool: { server_id: 'events', name: 'slow' }, args: { ms: 60_000 } }
  const left = admin.tools.call(slow, { signal: leaving.signal }).catch(() => {})
  await admin.tools.list()
  leaving.abort()
  await left
}

/** Sessions of MCP clients, opened and ended over each transport. */
async function visitByMcp({ node, groupKey }: Scene): Promise<void> {
  for (const path of ['/mcp', '/mcp/v1/sse']) {
    const client = mcpClient(`${node.url}${path}`, groupKey)
    const names = (await client.listTools()).map(({ name }) => name)
    for (const name of names.filter((one) => one.endsWith('echo'))) {
      await client.callTool(name, { message: 'hello' })
    }
  }
  await askByRpc(`${node.url}/api/v1/mcp/jsonrpc`, groupKey)
}

/** It makes a session for each action, and ends it. */
function mcpClient(url: string, key: string) {
  const headers = { Authorization: `Bearer ${key}` }
  return createDifyProfile({
    ...{ url, headers, timeouts: { hangMs: patienceMs, endpointMs: patienceMs } },
  })
}

async function askByRpc(url: string, apiKey: string): Promise<void> {
  const ask = async (method: string, params: object) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return (await answer.json()) as { result: { sessionToken?: string } }
  }
  const { result } = await ask('initialize', { apiKey })
  await ask('tools/list', { sessionToken: result.sessionToken })
}

/** Under the same name each time, as caches of names may fill for longer than a day. */
async function changeGroups({ admin, node }: Scene): Promise<void> {
  const group_id = 'passing'
  const tools = [{ server_id: 'local', tool: '*' }]
  const made = await admin.toolGroups.create({ group_id, name: group_id, tools }, unkept)
  const { key } = await admin.toolGroups.rotateKey(group_id, {}, unkept)
  if (key === made.key) throw new Error('the key is the old one')
  await mcpClient(`${node.url}/mcp`, key).listTools()
  await admin.toolGroups.revokeKey(group_id)
  await admin.toolGroups.delete(group_id)
}

async function changeKeys({ admin, clientOf, people }: Scene): Promise<void> {
  const { user_id } = people[1]!
  const made = await admin.apiKeys.create(user_id, { name: 'day' }, unkept)
  const client = clientOf({ ...people[1]!, key: made.key })
  await client.sessions.list()
  await admin.apiKeys.delete(user_id, made.key_id)
}

async function changeServers({ admin, extra, whenOffered }: Scene): Promise<void> {
  const name = 'passing'
  const { command, args } = extra
  await admin.servers.create({ config: { name, command, args: [...args] } }, unkept)
  await whenOffered(name)
  await admin.servers.delete(name)
}

function expectEnd(events: readonly AnyEvent[]): void {
  const last = events.at(-1)?.event_type
  if (last !== 'done') throw new Error(`the turn has ended with ${last}`)
}
