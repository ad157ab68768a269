import type { ServerNotice, ServerQuestions } from '@dataagent/mcp'
import { createMemoryKv } from '@dataagent/store/kv'
import { waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Kv } from '../kv-port.ts'
import type { UpstreamCall } from './contract.ts'
import { type Oracle, oracles, startOracle, tellsCalls } from './test-oracle.ts'
import { createRig, echo, keyOf, type Rig, toText } from './test-rig.ts'

const named =
  (name: string): NonNullable<ServerQuestions['elicit']> =>
  async () => ({ action: 'accept', content: { name } })

async function call(
  { upstreams }: Rig,
  tool: string,
  options: UpstreamCall['options'] = {},
): Promise<string> {
  const order = echo('', { tool, args: {}, deadlineMs: 20_000, options })
  return toText((await upstreams.call(keyOf('a'), order)).result)
}

describe.each(oracles)('questions of a call over %s', (kind) => {
  let oracle: Oracle
  let kv: Kv & AsyncDisposable
  beforeAll(async () => {
    oracle = await startOracle(kind)
    kv = createMemoryKv()
  })
  afterAll(async () => {
    await oracle[Symbol.asyncDispose]()
    await kv[Symbol.asyncDispose]()
  })

  /** Two processes' worth of upstreams: where one holds the connection the other calls through. */
  async function open() {
    const stack = new AsyncDisposableStack()
    const rigs = ['first', 'second'].map((owner) => {
      const rig = stack.use(createRig({ kv, owner, passesQuestions: true }))
      rig.servers.set('a', oracle.config)
      rig.upstreams.start()
      return rig
    })
    for (const rig of rigs) await rig.untilOffered('a', 20_000)
    return { rigs, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  }

  test('each of two processes answers for its own calls', async () => {
    await using stage = await open()
    for (const [index, rig] of stage.rigs.entries()) {
      const told: ServerNotice[] = []
      const questions: ServerQuestions = {
        elicit: named(`user ${index}`),
        sample: async ({ messages }) => ({
          role: 'assistant',
          model: 'm',
          content: { type: 'text', text: `${index} of ${messages.length}` },
        }),
        listRoots: async () => [{ uri: `file:///${index}` }],
      }
      const onNotice = (notice: ServerNotice) => void told.push(notice)
      const said: string[] = []
      for (const tool of ['ask_person', 'ask_model', 'ask_roots']) {
        said.push(await call(rig, tool, { questions, onNotice }))
      }
      expect(said).toEqual([`accept user ${index}`, `${index} of 1`, `file:///${index}`])
      expect(await call(rig, 'ask_person')).toBe('cancel undefined')
      if (kind.endsWith('v2')) continue
      await call(rig, 'log', { onNotice, logLevel: 'info' })
      await expect.poll(() => told).toMatchObject([{ kind: 'log', data: 'a line' }])
    }
  })

  test('of two at once from two processes each reaches its own caller, or nobody', async () => {
    await using stage = await open()
    const answers = stage.rigs.map((rig, index) =>
      call(rig, 'ask_person', { questions: { elicit: named(`user ${index}`) } }),
    )
    const said = await Promise.all(answers)
    const isApart = tellsCalls(kind)
    const expected = isApart ? ['accept user 0', 'accept user 1'] : said.map(orDismissed)
    expect(said).toEqual(expected)
    if (!isApart) expect(said).toContain('cancel undefined')
  })

  test('a question ends with its call', async () => {
    await using stage = await open()
    for (const rig of stage.rigs) {
      const signals: AbortSignal[] = []
      const elicit: ServerQuestions['elicit'] = async (_, { signal }) => {
        signals.push(signal)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return { action: 'cancel' }
      }
      const stop = new AbortController()
      const options = { questions: { elicit }, signal: stop.signal, caller: 'ada' }
      const asked = call(rig, 'ask_person', options)
      const ended = asked.catch((error: { kind: string }) => error.kind)
      const signal = await waitFor(() => signals[0], { timeoutMs: 10_000 })
      expect(signal.aborted).toBe(false)
      stop.abort()
      expect(await ended).toBe('cancelled')
      await waitFor(() => signal.aborted)
    }
    const elicit = named('Bob')
    const [holder] = stage.rigs
    const asked = await call(holder!, 'ask_person', { questions: { elicit }, caller: 'bob' })
    expect(asked).toBe(tellsCalls(kind) ? 'accept Bob' : 'cancel undefined')
  })
})

/** A caller that was alone for a moment may have been asked. */
function orDismissed(said: string, index: number): string {
  return said === `accept user ${index}` ? said : 'cancel undefined'
}
