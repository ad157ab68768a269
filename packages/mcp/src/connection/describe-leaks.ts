import { longCount } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { McpError } from '../errors.ts'
import { countHandles, expectNoHandlesBeyond, usedHeap } from '../hostile/test-watch.ts'
import { createConnection } from './connection.ts'
import type { Connection } from './contract.ts'
import { openPlace, type Place } from './test-places.ts'
import { findChildren } from './test-processes.ts'

const times = longCount(20, 1_000)
const rehearsals = longCount(5, 100)
/** What the heap may grow by: 2 KiB each in the long form, and the noise of the short one. */
const heapGrowthMax = 2 * 1024 * 1024

/** Checks that connections over `transport` give back all that they take. */
export function describeLeaks(transport: 'stdio' | 'http' | 'sse'): void {
  let place: Place
  beforeAll(async () => {
    place = await openPlace(transport)
  })
  afterAll(() => place[Symbol.asyncDispose]())

  test(`${transport}: ${times} connects and disconnects leave nothing [F32]`, {
    timeout: 900_000,
  }, async () => {
    const answers = new Set<unknown>()
    const connectOnce = async () => {
      const connection = await open(place)
      answers.add(await echo(connection))
      await connection.close()
    }
    const before = await settle(connectOnce)
    for (let round = 0; round < times; round += 1) await connectOnce()
    expect(answers).toEqual(new Set(['hi']))
    await expectAsBefore(before)
    expect(place.processes()).toEqual([])
  })

  test(`${transport}: ${times} cancels leave nothing`, { timeout: 900_000 }, async () => {
    await using connection = await open(place)
    const outcomes = new Set<unknown>()
    const cancelOnce = async () => {
      const controller = new AbortController()
      const { signal } = controller
      const call = connection.callTool('slow', { ms: 60_000 }, { signal })
      setImmediate(() => controller.abort())
      outcomes.add(await call.catch(({ kind }: McpError) => kind))
    }
    const before = await settle(cancelOnce)
    for (let round = 0; round < times; round += 1) await cancelOnce()
    expect(outcomes).toEqual(new Set(['cancelled']))
    expect(await echo(connection)).toBe('hi')
    await expectAsBefore(before)
    expect(connection.state.status).toBe('ready')
  })

  test(`${transport}: being lost and found again leaves nothing`, {
    timeout: 900_000,
  }, async () => {
    await using connection = await open(place)
    const loseOnce = async () => {
      await connection.client().close()
      await expect.poll(() => connection.state.status, { timeout: 10_000 }).toBe('ready')
    }
    const before = await settle(loseOnce)
    for (let round = 0; round < 3; round += 1) await loseOnce()
    await expectAsBefore(before)
    expect(place.processes().length).toBe(transport === 'stdio' ? 1 : 0)
  })
}

async function open({ createTransport }: Place): Promise<Connection> {
  const backoff = { firstMs: 1, maxMs: 10 }
  const connection = createConnection({ name: 'place', createTransport, backoff })
  await connection.open()
  return connection
}

async function echo(connection: Connection): Promise<unknown> {
  const { content } = await connection.callTool('echo', { message: 'hi' })
  return content[0]?.type === 'text' ? content[0].text : content
}

interface Held {
  handles: Map<string, number>
  children: number
  heap: number
}

/** What is held once all that is made once and kept is there: the reaper, compiled code. */
async function settle(doOnce: () => Promise<void>): Promise<Held> {
  for (let round = 0; round < rehearsals; round += 1) await doOnce()
  return { handles: countHandles(), children: findChildren().length, heap: usedHeap() }
}

async function expectAsBefore({ handles, children, heap }: Held): Promise<void> {
  await expectNoHandlesBeyond(handles)
  await expect.poll(() => findChildren().length, { timeout: 10_000 }).toBeLessThanOrEqual(children)
  expect(usedHeap() - heap).toBeLessThan(heapGrowthMax)
}
