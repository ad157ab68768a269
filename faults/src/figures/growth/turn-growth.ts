import { type ChatSocket, createClient } from '@dataagent/client'
import { isKnownEvent } from '@dataagent/schema'
import type { Person } from '../../nodes/people.ts'
import { toMessage } from './answers.ts'
import { type Cost, measure } from './measure.ts'
import { spentBy } from './spent.ts'
import type { World } from './world.ts'

/** A turn over WebSocket: one call of a tool, and an answer of so many words. */
export interface TurnCost extends Cost {
  words: number
}

export interface Sockets {
  count: number
  /** By which memory rose while they were opened, for each, in kilobytes. */
  socketKb: number
}

export interface Users extends AsyncDisposable {
  sockets: Sockets
  /** Each of so many of them asks once, all at once. */
  ask(words: number, count: number): Promise<void>
}

interface User {
  socket: ChatSocket
  ask(words: number): Promise<void>
}

/** Each has a session of its own and listens to it. */
export async function openUsers(world: World, people: readonly Person[]): Promise<Users> {
  await using cleanup = new AsyncDisposableStack()
  const before = await spentBy(world.pids)
  const users: User[] = []
  for (const person of people) {
    const user = await openUser(world.urls[users.length % world.urls.length]!, person)
    users.push(user)
    cleanup.use(user.socket)
  }
  const { residentBytes } = await spentBy(world.pids)
  const socketKb = Math.round((residentBytes - before.residentBytes) / people.length / 1e3)
  const moved = cleanup.move()
  return {
    sockets: { count: people.length, socketKb },
    async ask(words, count) {
      await Promise.all(users.slice(0, count).map((user) => user.ask(words)))
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

export async function measureTurns(
  world: World,
  users: Users,
  { words, rounds, atOnce }: { words: number; rounds: number; atOnce: number },
): Promise<TurnCost> {
  const run = (count: number) => users.ask(words, count)
  return { words, ...(await measure(world, { rounds, count: atOnce, run })) }
}

async function openUser(url: string, { key }: Person): Promise<User> {
  const client = createClient({ baseUrl: url, apiKey: key })
  const { session_id } = await client.sessions.create({})
  const live = Promise.withResolvers<void>()
  let ended = Promise.withResolvers<void>()
  let said = ''
  const socket = client.connect(session_id, {
    onState: ({ status }) => status === 'live' && live.resolve(),
    onEvent(event) {
      if (!isKnownEvent(event)) return
      if (event.event_type === 'text') said = event.restarts ? event.content : said + event.content
      if (event.event_type === 'error') ended.reject(new Error(event.error))
      if (event.event_type === 'done') ended.resolve()
    },
  })
  await live.promise
  return {
    socket,
    async ask(words) {
      ended = Promise.withResolvers()
      said = ''
      await socket.send(toMessage(words)).accepted
      await ended.promise
      const count = said.split(' ').length
      if (count !== words) throw new Error(`an answer of ${count} words for ${words}`)
    },
  }
}
