import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@dataagent/client'
import type { Person } from '../nodes/people.ts'
import { startFigureServer } from './figure-server.ts'
import { type LoadFigures, startArrivalsApart } from './load-apart.ts'
import { floods, type LoadCounts, loadFor, others, people, warm } from './load-for.ts'
import { summarise, type Times } from './percentile.ts'
import { startUsers } from './turns.ts'

const patienceMs = 30_000

export interface CancelFigures {
  /** Turns a second that the server can do. */
  capacity: number
  quiet: Times
  atFourFifths: CancelsUnderLoad
  atThreeTimes: CancelsUnderLoad
}

interface CancelsUnderLoad {
  load: LoadFigures
  times: Times
}

/** How long a cancel takes in peace, at four fifths of what the server can do, and at thrice it. */
export async function measureCancels(
  { seconds, cancels }: LoadCounts,
  onStep: (step: string) => void,
): Promise<CancelFigures> {
  await using server = await startFigureServer({ people })
  await warm(server.url)
  const { url } = server
  onStep('as many turns as it can do')
  const everyone = startUsers({ url, people: floods.slice(0, 64) })
  const { perSecond: capacity } = await loadFor(seconds, everyone)
  onStep('cancels in peace')
  const quiet = summarise(await manyCancels(url, others, cancels))
  const at = async (share: number): Promise<CancelsUnderLoad> => {
    onStep(`cancels at ${share} of that`)
    await using load = startArrivalsApart({ url, people: floods, perSecond: capacity * share })
    await delay(2_000)
    const times = summarise(await manyCancels(url, others, cancels))
    return { load: await load.end(), times }
  }
  return { capacity, quiet, atFourFifths: await at(0.8), atThreeTimes: await at(3) }
}

async function manyCancels(
  url: string,
  users: readonly Person[],
  count: number,
): Promise<number[]> {
  const times: number[] = []
  const numbers = Array.from({ length: count }, (_, at) => at).values()
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const at of numbers) times.push(await timeCancel(url, users[at % users.length]!))
    }),
  )
  return times
}

/**
 * Begins a turn whose model is silent, cancels it, and tells how long it took to its end; throws
 * where it does not end.
 */
async function timeCancel(url: string, person: Person): Promise<number> {
  const client = createClient({ baseUrl: url, apiKey: person.key })
  const { session_id } = await client.sessions.create({})
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<number>()
  const late = AbortSignal.timeout(patienceMs)
  late.addEventListener('abort', () => {
    begun.reject(new Error('the turn has not begun'))
    ended.reject(new Error('the turn has not ended'))
  })
  ended.promise.catch(() => {})
  using socket = client.connect(session_id, {
    onEvent({ event_type }) {
      if (event_type === 'user_message') begun.resolve()
      if (event_type === 'done') ended.resolve(performance.now())
    },
  })
  await socket.send('Wait').accepted
  await begun.promise
  const asked = performance.now()
  socket.cancel()
  return (await ended.promise) - asked
}
