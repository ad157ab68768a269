import { createToolRegistry } from '@dataagent/mcp'
import { AppError } from '@dataagent/schema'
import { expect, test } from 'vitest'
import type { AgentMiddleware } from '../middleware/index.ts'
import type { ModelMessage } from '../models/index.ts'
import { AgentLoop } from './agent-loop.ts'
import { of, startEngine, textOf } from './test-engine.ts'

const start = (middleware: AgentMiddleware) =>
  startEngine({
    agent: { middleware: [middleware] },
    script: ({ turns }) => `My number is ${turns.length}.`,
  })

const redact = (message: ModelMessage): ModelMessage => ({
  ...message,
  content: message.content.replace(/number is \d/, 'number is *'),
})

test('what a hook makes of a reply is what was said, and what was sent of it is void', async () => {
  await using engine = await start({
    name: 'redacting',
    afterModel: ({ messages }) => ({ messages: messages.map(redact) }),
  })
  const events = await engine.say('Hi')
  expect(textOf(events)).toBe('My number is *.')
  expect(of(events, 'text').some(({ restarts }) => restarts)).toBe(true)
  await engine.say('Again')
  const [, , said] = engine.standIn.requests[1]?.turns ?? []
  expect(said?.text).toBe('My number is *.')
})

test('a reply that a hook leaves as it is comes without a break', async () => {
  await using engine = await start({ name: 'looking', afterModel: () => undefined })
  const events = await engine.say('Hi')
  expect(textOf(events)).toBe('My number is 2.')
  expect(of(events, 'text').every(({ restarts }) => !restarts)).toBe(true)
})

test('a reply that a hook refuses is void', async () => {
  await using engine = await start({
    name: 'blocking',
    afterModel() {
      throw new AppError('forbidden', 'not that')
    },
  })
  const events = await engine.say('Hi')
  expect(textOf(events)).toBe('')
  expect(of(events, 'error')[0]?.error).toContain('blocking')
})

test('a fault of a hook is told with its name to who runs the agent, and not to people', async () => {
  const faults: unknown[] = []
  const broken: AgentMiddleware = {
    name: 'broken',
    beforeModel() {
      throw new TypeError('x is undefined')
    },
  }
  await using engine = await startEngine({
    agent: { middleware: [broken] },
    executor: { onError: (error) => faults.push(error) },
  })
  const events = await engine.say('Hi')
  expect(of(events, 'error')).toMatchObject([{ error_code: 'internal' }])
  expect(of(events, 'error')[0]?.error).not.toContain('undefined')
  expect(faults).toMatchObject([{ message: expect.stringContaining('middleware broken failed') }])
})

test('a reply that a hook gives in place of the model is said', async () => {
  await using engine = await start({
    name: 'caching',
    async wrapModelCall() {
      return { content: 'As before.', reasoning: [], calls: [], usage: undefined, finish: 'stop' }
    },
  })
  expect(textOf(await engine.say('Hi'))).toBe('As before.')
  expect(engine.standIn.requests).toHaveLength(0)
})

test('what came of a reply that broke off is void where a hook goes on without the model', async () => {
  await using engine = await startEngine({
    script: [{ text: 'One two three four five', cut: 3 }],
    agent: {
      middleware: [
        {
          name: 'apologising',
          async wrapModelCall(request, handler) {
            const sorry = { content: 'Sorry.', reasoning: [], calls: [] }
            return handler(request).catch(() => ({ ...sorry, usage: undefined, finish: 'stop' }))
          },
        },
      ],
    },
  })
  expect(textOf(await engine.say('Hi'))).toBe('Sorry.')
})

test('what a hook makes of a reply is the text of an AgentLoop too', async () => {
  await using engine = await startEngine({ script: ['My number is 2.'] })
  const loop = new AgentLoop({
    ...{ model: engine.agent.model, registry: createToolRegistry(), systemPrompt: 'You help.' },
    hooks: [
      { name: 'redacting', afterModel: ({ messages }) => ({ messages: messages.map(redact) }) },
    ],
  })
  expect((await loop.run('Hi')).text).toBe('My number is *.')
})
