import type { Progress, ServerNotice } from '@dataagent/mcp'
import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { LinkOptions } from '../links/link.ts'
import type { CallRequest, Downward } from './messages.ts'
import { createServing } from './serving.ts'

/** A call of another process, and what is sent to it while the server tells `tell` about it. */
function serve(wants: Partial<CallRequest> = {}) {
  const clock = createFakeClock()
  const sent: Downward[] = []
  const stage = { answer: async (): Promise<void> => undefined }
  const given: LinkOptions[] = []
  const ending = Promise.withResolvers<void>()
  const serving = createServing({
    clock,
    answer(_, message) {
      sent.push(message)
      return stage.answer()
    },
  })
  serving.serve('p', {
    fence: 1,
    describe: () => ({ state: { status: 'ready' }, stateless: false, seq: 1, tools: [] }),
    async call(_tool, _args, options) {
      given.push(options)
      await ending.promise
      return { content: [] }
    },
    ask: async () => ({}),
    wish: async () => [],
    async refresh() {},
    async reconnect() {},
    keep() {},
  })
  const request: CallRequest = {
    ...{ kind: 'call', pool: 'p', fence: 1, id: 'i', from: 'asker', tool: 't', args: {} },
    ...{ timeoutMs: 60_000, wantsProgress: true, wantsNotices: true, ...wants },
  }
  serving.asked(request)
  const notices = () =>
    sent.flatMap((message) => (message.kind === 'notice' ? [message.notice] : []))
  const progress = () =>
    sent.flatMap((message) => (message.kind === 'progress' ? [message.progress.progress] : []))
  return {
    ...{ clock, sent, stage, notices, progress },
    log: (level: string, data: unknown = '') => given[0]?.onNotice?.({ kind: 'log', level, data }),
    tell: (notice: ServerNotice) => given[0]?.onNotice?.(notice),
    advance: (told: Progress) => given[0]?.onProgress?.(told),
    async end() {
      ending.resolve()
      await serving.close()
    },
  }
}

test('log messages that the caller does not want do not leave the process [E5.2]', async () => {
  const warned = serve({ logLevel: 'warning' })
  for (const level of ['debug', 'info', 'warning', 'error', 'odd']) warned.log(level)
  expect(warned.notices().map((notice) => Object(notice).level)).toEqual([
    'warning',
    'error',
    'odd',
  ])
  const silent = serve()
  silent.log('emergency')
  silent.tell({ kind: 'elicitation_complete', elicitationId: 'e' })
  expect(silent.notices()).toEqual([{ kind: 'elicitation_complete', elicitationId: 'e' }])
  await Promise.all([warned.end(), silent.end()])
})

test('a flood of log messages is passed on at ten a second, and hides no progress [E5.2]', async () => {
  const { clock, log, advance, notices, progress, end } = serve({ logLevel: 'debug' })
  for (let at = 0; at < 10_000; at += 1) log('info', at)
  expect(notices().length).toBeLessThanOrEqual(20)
  advance({ progress: 1 })
  expect(progress()).toEqual([1])
  const before = notices().length
  for (let second = 0; second < 3; second += 1) {
    await clock.advanceAsync(1_000)
    for (let at = 0; at < 1_000; at += 1) log('info', at)
  }
  expect(notices().length - before).toBeLessThanOrEqual(30)
  expect(notices().length - before).toBeGreaterThanOrEqual(20)
  await end()
})

test('of a flood of progress the latest arrives, and the last before the answer', async () => {
  const { clock, sent, advance, progress, end } = serve()
  for (let at = 1; at <= 10_000; at += 1) advance({ progress: at })
  expect(progress().length).toBeLessThanOrEqual(20)
  await clock.advanceAsync(200)
  expect(progress().at(-1)).toBe(10_000)
  for (let at = 10_001; at <= 10_100; at += 1) advance({ progress: at })
  await end()
  const kinds = sent.map(({ kind }) => kind)
  expect(progress().at(-1)).toBe(10_100)
  expect(kinds.at(-1)).toBe('done')
  expect(kinds.filter((kind) => kind === 'progress').length).toBeLessThanOrEqual(25)
})

test('what is long is cut, and not in the midst of a word', async () => {
  const { log, advance, sent, notices, end } = serve({ logLevel: 'debug' })
  log('info', 'word '.repeat(100_000))
  log('info', `begins ${'x'.repeat(100_000)}`)
  log('info', 'x'.repeat(100_000))
  log('info', { deep: ['y'.repeat(100_000)] })
  log('z'.repeat(100_000), 'short')
  advance({ progress: 1, total: 2, message: 'so far '.repeat(100_000) })
  for (const message of sent) expect(JSON.stringify(message).length).toBeLessThan(5_000)
  const [words, begins, none, deep] = notices().map((notice) => String(Object(notice).data))
  expect(words).toMatch(/^(word ){100,}.*cut/)
  expect(begins).toMatch(/^begins .*cut/)
  for (const data of [none, deep]) expect(data).toMatch(/too long/)
  await end()
})

test('while the KV does not take them few are on their way, and none is kept', async () => {
  const { clock, stage, sent, log, advance, end } = serve({ logLevel: 'debug' })
  const stuck = Promise.withResolvers<void>()
  stage.answer = () => stuck.promise
  for (let second = 0; second < 60; second += 1) {
    for (let at = 0; at < 100; at += 1) {
      log('info', at)
      advance({ progress: at })
    }
    await clock.advanceAsync(1_000)
  }
  expect(sent.filter(({ kind }) => kind !== 'ack').length).toBeLessThanOrEqual(40)
  stuck.resolve()
  await end()
})
