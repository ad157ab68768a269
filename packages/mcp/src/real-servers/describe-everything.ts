import { waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Progress, ServerNotice, ServerQuestions } from '../client/contract.ts'
import { type Everything, openEverything, type Talk, talkTo, type Way } from './test-everything.ts'

const questions: ServerQuestions = {
  elicit: async () => ({ action: 'accept', content: { name: 'Ada', integer: 7 } }),
  sample: async ({ messages }) => ({
    role: 'assistant',
    model: 'stand-in',
    content: { type: 'text', text: `heard ${messages.length} message` },
  }),
  listRoots: async () => [{ uri: 'file:///tmp/here', name: 'here' }],
}

/** Checks all that server-everything offers, over one connection by `way`. */
export function describeEverything(way: Way): void {
  describe(`server-everything over ${way}`, () => {
    let server: Everything
    let talk: Talk
    beforeAll(async () => {
      server = await openEverything(way)
      talk = await talkTo(server, { questions })
    })
    afterAll(async () => {
      await talk[Symbol.asyncDispose]()
      if (way === 'stdio') expect(server.processes()).toEqual([])
      await server[Symbol.asyncDispose]()
    })

    test('says who it is and what it has', () => {
      expect(talk.connection.state).toMatchObject({
        status: 'ready',
        server: {
          era: 'legacy',
          version: '2025-11-25',
          serverInfo: { name: 'mcp-servers/everything' },
          capabilities: { tools: { listChanged: true }, prompts: {}, resources: {}, logging: {} },
        },
      })
      const names = talk.connection.tools.map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(['echo', 'get-sum', 'get-structured-content']))
    })

    test('offers tools that depend on what we can do', async () => {
      const asked = ['trigger-elicitation-request', 'trigger-sampling-request', 'get-roots-list']
      const offered = () => talk.connection.tools.map(({ name }) => name)
      await waitFor(() => asked.every((name) => offered().includes(name)))
    })

    test('answers calls, many at once each with its own answer', async () => {
      const numbers = Array.from({ length: 50 }, (_, number) => number)
      const sums = await Promise.all(numbers.map((a) => talk.call('get-sum', { a, b: 1_000 })))
      expect(sums).toEqual(numbers.map((a) => `The sum of ${a} and 1000 is ${a + 1_000}.`))
    })

    test('gives structured content and images as they are', async () => {
      const { connection } = talk
      const weather = await connection.callTool('get-structured-content', { location: 'Chicago' })
      expect(weather.structuredContent).toMatchObject({ humidity: 82 })
      const image = await connection.callTool('get-tiny-image')
      expect(image.content).toContainEqual(
        expect.objectContaining({ type: 'image', mimeType: 'image/png' }),
      )
    })

    test('says what is wrong with arguments as a result', async () => {
      const result = await talk.connection.callTool('get-sum', { a: 'one' })
      expect(result.isError).toBe(true)
    })

    test('reports progress', async () => {
      const heard: Progress[] = []
      const onProgress = (progress: Progress) => void heard.push(progress)
      const args = { duration: 0.2, steps: 4 }
      await talk.connection.callTool('trigger-long-running-operation', args, { onProgress })
      expect(heard.map(({ progress, total }) => [progress, total])).toEqual([
        [1, 4],
        [2, 4],
        [3, 4],
        [4, 4],
      ])
    })

    test('can be cancelled, and goes on with the rest', async () => {
      const controller = new AbortController()
      const { signal } = controller
      const args = { duration: 60, steps: 600 }
      const onProgress = () => controller.abort()
      const call = talk.connection.callTool('trigger-long-running-operation', args, {
        signal,
        onProgress,
      })
      await expect(call).rejects.toMatchObject({ kind: 'cancelled', mayHaveRun: true })
      expect(await talk.call('echo', { message: 'still here' })).toBe('Echo: still here')
    })

    test('lists resources and templates, and reads both', async () => {
      const client = talk.connection.client()
      const [first] = await client.listResources()
      const document = await client.readResource(first?.uri ?? '')
      expect(document.contents[0]).toMatchObject({ uri: first?.uri })
      const templates = await client.listResourceTemplates()
      expect(templates.map(({ uriTemplate }) => uriTemplate)).toContain(
        'demo://resource/dynamic/text/{resourceId}',
      )
      const { contents } = await client.readResource('demo://resource/dynamic/text/7')
      expect(contents[0]).toMatchObject({ text: expect.stringContaining('Resource 7') })
    })

    test('lists prompts and fills them', async () => {
      const client = talk.connection.client()
      const names = (await client.listPrompts()).map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(['simple-prompt', 'args-prompt']))
      const { messages } = await client.getPrompt('args-prompt', { city: 'Turin' })
      expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining('Turin') })
    })

    test('completes arguments, one in the light of another', async () => {
      const client = talk.connection.client()
      const ref = { type: 'ref/prompt' as const, name: 'completable-prompt' }
      const department = { name: 'department', value: 'S' }
      const { completion } = await client.complete({ ref, argument: department })
      expect(completion.values).toEqual(['Sales', 'Support'])
      const context = { arguments: { department: 'Sales' } }
      const names = await client.complete({ ref, argument: { name: 'name', value: '' }, context })
      expect(names.completion.values).toEqual(['David', 'Eve', 'Frank'])
    })

    test('asks a person, a model, and for the roots', async () => {
      const asked = await talk.call('trigger-elicitation-request')
      expect(asked).toContain('- Name: Ada')
      const sampled = await talk.call('trigger-sampling-request', { prompt: 'hello' })
      expect(sampled).toContain('heard 1 message')
      expect(await talk.call('get-roots-list')).toContain('URI: file:///tmp/here')
    })

    test('tells of resources that were subscribed to', async () => {
      const uri = 'demo://resource/dynamic/text/1'
      const unsubscribe = await talk.connection.client().subscribeResource(uri)
      await talk.call('toggle-subscriber-updates')
      const notice: ServerNotice = { kind: 'resource_updated', uri }
      const heard = { kind: 'notice', notice }
      await waitFor(() => expect(talk.events).toContainEqual(heard) ?? true, { timeoutMs: 20_000 })
      await talk.call('toggle-subscriber-updates')
      await unsubscribe()
    })

    test('tells its log from the level that we ask for', async () => {
      await talk.connection.client().setLogLevel('debug')
      await talk.call('toggle-simulated-logging')
      const logs = () =>
        talk.events.filter(
          (event) =>
            event.kind === 'notice' &&
            event.notice.kind === 'log' &&
            String(event.notice.data).includes('level'),
        )
      await waitFor(() => logs().length > 0, { timeoutMs: 20_000 })
      await talk.call('toggle-simulated-logging')
    })
  })
}
