import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ServerNotice, ServerQuestions } from '../contract.ts'
import { openClient } from '../open-client.ts'
import type { Way } from './describe-client.ts'

const offers = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} }

/** Questions and notices that belong to one call among several, whatever lies in between. */
export function describeCallQuestions(
  name: string,
  { serve, era, remembered, hasStreams = era === 'modern' }: Way & { hasStreams?: boolean },
): void {
  describe(`questions of a call: ${name}`, () => {
    let server: Awaited<ReturnType<Way['serve']>>
    beforeAll(async () => {
      server = await serve()
    })
    afterAll(() => server[Symbol.asyncDispose]())

    async function open(questions?: ServerQuestions) {
      const createTransport = (way: 'usual' | 'sse') => server.createTransport(way)
      const timeoutMs = 20_000
      const { client } = await openClient({
        ...{ createTransport, remembered, timeoutMs, offers, questions },
      })
      return client
    }

    test('are answered by the caller, whatever the client says to others', async () => {
      await using client = await open({ elicit: named('the client') })
      const questions: ServerQuestions = {
        elicit: named('Eve'),
        sample: async () => ({ role: 'assistant', model: 'm', content: text('Paris') }),
        listRoots: async () => [{ uri: 'file:///own' }],
      }
      const said: unknown[] = []
      for (const tool of ['ask_person', 'ask_model', 'ask_roots']) {
        said.push(textOf(await client.callTool(tool, {}, { questions })))
      }
      expect(said).toEqual(['accept Eve', 'Paris', 'file:///own'])
      expect(textOf(await client.callTool('ask_person'))).toBe('accept the client')
    })

    test('without one who answers are dismissed, refused or answered with nothing', async () => {
      await using client = await open()
      expect(textOf(await client.callTool('ask_person'))).toBe('cancel undefined')
      expect(textOf(await client.callTool('ask_roots'))).toBe('')
      const model = await client.callTool('ask_model').catch((error: unknown) => error)
      expect(model).toSatisfy((it) => it instanceof Error || (it as { isError: true }).isError)
    })

    test('of two at once reach the right caller or nobody', async () => {
      await using client = await open()
      const names = ['Eve', 'Bob']
      const ask = (name: string) =>
        client.callTool('ask_person', {}, { questions: { elicit: named(name) } })
      const said = (await Promise.all(names.map(ask))).map(textOf)
      expect(said).toEqual(names.map((it) => (hasStreams ? `accept ${it}` : 'cancel undefined')))
    })

    test('the caller of another call is not asked, nor told', async () => {
      await using client = await open()
      await client.setLogLevel('debug')
      const told: ServerNotice[] = []
      const asked: unknown[] = []
      const elicit: ServerQuestions['elicit'] = async (params) => {
        asked.push(params)
        return { action: 'accept', content: {} }
      }
      const stop = new AbortController()
      const other = client
        .callTool('wait', {}, { ...given(told), questions: { elicit }, signal: stop.signal })
        .catch(() => undefined)
      expect(textOf(await client.callTool('ask_person'))).toBe('cancel undefined')
      await client.callTool('log')
      stop.abort()
      await other
      expect([asked, told]).toEqual([[], []])
    })

    test('log lines are told to the caller', async () => {
      await using client = await open()
      await client.setLogLevel('debug')
      const told: ServerNotice[] = []
      await client.callTool('log', {}, given(told))
      await expect.poll(() => told).toEqual([logLine])
    })
  })
}

const logLine = { kind: 'log', level: 'info', logger: 'oracle', data: 'a line' }

function given(told: ServerNotice[]) {
  return { onNotice: (notice: ServerNotice) => void told.push(notice) }
}

function named(name: string): NonNullable<ServerQuestions['elicit']> {
  return async () => ({ action: 'accept', content: { name } })
}

function text(value: string) {
  return { type: 'text' as const, text: value }
}

function textOf(result: { content: { type: string; text?: unknown }[] }): unknown {
  return result.content[0]?.text
}
