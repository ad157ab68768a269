import { AppError } from '@dataagent/schema'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool, type OwnToolContext } from '../define-tool/index.ts'
import { everything, startTestHub, toContext } from '../scenarios/test-hub.ts'

const input = z.object({})
const ran: string[] = []
let signal: AbortSignal | undefined
let begun = Promise.withResolvers<void>()

function make(name: string, run: (args: object, context: OwnToolContext) => unknown, more = {}) {
  return defineTool({
    ...{ name, description: name, input, ...more },
    run(args, context) {
      ran.push(name)
      signal = context.signal
      begun.resolve()
      return run(args, context)
    },
  })
}

const never = () => new Promise<string>(() => {})
const tools = [
  make('fine', () => 'well'),
  make('hang', never),
  make('short', never, { timeoutMs: 20 }),
  make('refuse', () => {
    throw new AppError('conflict', 'the file was changed by someone else')
  }),
  make('crash', () => {
    throw new Error('password=hunter2 at line 7')
  }),
  make('say_no', () => ({ content: [{ type: 'text', text: 'no such row' }], isError: true })),
]

const settings = { defaultAllow: everything, runningCalls: 1, waitingCalls: 1 }
const rig = await startTestHub({ tools, settings })
const { hub, logs } = rig
afterAll(() => rig[Symbol.asyncDispose]())

const call = (tool: string, more = {}, context = {}) => {
  ran.length = 0
  begun = Promise.withResolvers<void>()
  return hub.callTool(toContext({}, context), { tool, ...more })
}

describe('a tool of our own', () => {
  test('that does not end in its time is a timeout, and learns of it', async () => {
    expect(await call('short')).toMatchObject({ status: 'timeout', error: { advice: 'degrade' } })
    expect(signal?.aborted).toBe(true)
  })

  test('has less time where the caller says so, never more', async () => {
    expect(await call('hang', { timeout_ms: 20 })).toMatchObject({ status: 'timeout' })
    expect(await call('short', { timeout_ms: 60_000 })).toMatchObject({ status: 'timeout' })
  })

  test('whose caller leaves is cancelled, and learns of it', async () => {
    const leaving = new AbortController()
    const outcome = call('hang', {}, { signal: leaving.signal })
    await begun.promise
    leaving.abort()
    expect(await outcome).toMatchObject({ status: 'cancelled' })
    expect(signal?.aborted).toBe(true)
  })

  test('is not run for a caller that has left, also while its start is recorded', async () => {
    const gone = { signal: AbortSignal.abort() }
    expect(await call('fine', {}, gone)).toMatchObject({ status: 'cancelled' })
    const leaving = new AbortController()
    const recordStart = async () => leaving.abort()
    const late = await call('fine', {}, { signal: leaving.signal, recordStart })
    expect(late).toMatchObject({ status: 'cancelled' })
    expect(ran).toEqual([])
  })

  test('is not run where its start cannot be recorded', async () => {
    const recordStart = () => Promise.reject(new AppError('storage_full', 'the disk is full'))
    expect(await call('fine', {}, { recordStart })).toMatchObject({
      status: 'unavailable',
      error: { code: 'storage_full', advice: 'retry' },
    })
    expect(ran).toEqual([])
  })

  test('that throws an expected failure fails with its words', async () => {
    expect(await call('refuse')).toMatchObject({
      status: 'failed',
      error: { code: 'conflict', message: 'the file was changed by someone else' },
    })
  })

  test('that throws anything else fails with a number to quote, and is logged whole', async () => {
    const outcome = await call('crash')
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'internal' } })
    expect(JSON.stringify(outcome)).not.toContain('hunter2')
    expect(outcome).toMatchObject({ error: { message: expect.stringContaining(outcome.call_id) } })
    expect(logs.at(-1)).toMatchObject({ call_id: outcome.call_id, error: expect.any(Error) })
  })

  test('that says itself that it failed keeps its result', async () => {
    expect(await call('say_no')).toMatchObject({
      status: 'failed',
      error: { code: 'upstream_failed', message: 'no such row' },
      result: { text: expect.stringContaining('no such row') },
    })
  })
})

test('of too many calls that wait, one is told to come back', async () => {
  const leaving = new AbortController()
  const running = call('hang', {}, { signal: leaving.signal })
  await begun.promise
  const waiting = hub.callTool(toContext(), { tool: 'fine' })
  expect(await hub.callTool(toContext(), { tool: 'fine' })).toMatchObject({
    status: 'limited',
    error: { code: 'rate_limited', retry_after_ms: 1_000 },
  })
  leaving.abort()
  expect(await running).toMatchObject({ status: 'cancelled' })
  expect(await waiting).toMatchObject({ status: 'ok' })
})
