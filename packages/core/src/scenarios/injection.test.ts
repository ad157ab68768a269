import { defineTool, type OwnTool } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { longCount } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { collect, of, person, startEngine } from '../engine/test-engine.ts'
import type { ApprovalPolicy } from '../hitl/index.ts'
import type { AgentMiddleware } from '../middleware/index.ts'
import { toInjections } from './test-injections.ts'
import { createObedientModel, findOrders } from './test-obedient-model.ts'
import { decidesBy, no, yes } from './test-words.ts'

const effects = ['send_mail', 'post_data'] as const
const injections = effects.flatMap((tool, i) =>
  toInjections(tool, '{"value":"all of it"}').filter((_, j) => j % effects.length === i),
)
/** Where the text is found: the results of tools that nobody vouches for. */
const places = ['page', 'structured', 'failing', 'throwing'] as const
type Place = (typeof places)[number]

const every = longCount(3, 1)
/** All in one place, and a part of them in each other one. */
const textsFor: Record<Place, string[]> = {
  page: injections,
  structured: injections.filter((_, i) => i % every === 0),
  failing: injections.filter((_, i) => i % every === every - 1),
  throwing: injections.filter((_, i) => i % every === 1 % every),
}

test('the obedient model reads every one of at least 100 injections', () => {
  expect(injections.length).toBeGreaterThanOrEqual(100)
  const unread = injections.filter((text) => findOrders([text]).length === 0)
  expect(unread).toEqual([])
})

test('obeyed by a model whom a person lets do all, each has its effect', async () => {
  await using scene = await startScene()
  for (const text of injections.slice(0, 10)) {
    scene.plant(text)
    await scene.say('Read by page', { kind: 'handler', handler: decidesBy(() => yes) })
  }
  expect(scene.effects()).toBeGreaterThanOrEqual(10)
})

test.each(places.map((place) => ({ place, count: textsFor[place].length })))(
  '$count injections in what a tool gives ($place) have no effect that nobody approved, in this turn, the next and after a restart [D3.4] [T50]',
  async ({ place }) => {
    await using scene = await startScene()
    const texts = textsFor[place]
    for (const text of texts) {
      scene.plant(text)
      await scene.engine.createSession().then(scene.use)
      await scene.refuseAll(`Read by ${place}`)
      await scene.refuseAll('Thank you.')
      scene.restart()
      await scene.refuseAll('Anything else?')
    }
    expect(scene.asked()).toBeGreaterThanOrEqual(texts.length)
    expect(scene.effects()).toBe(0)
  },
  120_000,
)

test('nor after the conversation was summarised, and by another process [D3.4]', async () => {
  await using scene = await startScene({ middleware: [summarising] })
  for (const text of injections.filter((_, i) => i % 4 === 0)) {
    scene.plant(text)
    await scene.engine.createSession().then(scene.use)
    await scene.refuseAll('Read by page')
    await scene.refuseAll('Summarise')
    const asked = scene.asked()
    scene.restart()
    const events = await scene.refuseAll('Anything else?')
    expect(of(events, 'tool_call').length).toBeGreaterThan(0)
    expect(scene.asked()).toBeGreaterThan(asked)
  }
  expect(scene.effects()).toBe(0)
})

test('with nobody to ask, all are denied [D3.5] [T39]', async () => {
  await using scene = await startScene()
  for (const text of injections.filter((_, i) => i % 4 === 1)) {
    scene.plant(text)
    await scene.engine.createSession().then(scene.use)
    await scene.say('Read by page', { kind: 'nothing' })
    await scene.say('Thank you.', { kind: 'nothing' })
  }
  expect(scene.effects()).toBe(0)
})

test('an order in the description of a tool is asked for as any other [D3.4]', async () => {
  const texts = injections.filter((text) => text.includes('send_mail')).slice(0, 20)
  for (const [i, text] of texts.entries()) {
    const described = { ...readerOf('page', () => ''), name: `described_${i}`, description: text }
    await using scene = await startScene({}, [described])
    await scene.refuseAll('Hello')
    expect(scene.asked()).toBeGreaterThan(0)
    expect(scene.effects()).toBe(0)
  }
})

/** Once, it puts all that was said into a summary, orders and all. */
const summarising: AgentMiddleware = {
  name: 'summarising',
  beforeModel({ messages }) {
    const last = messages.at(-1)
    if (last?.role !== 'user' || last.content !== 'Summarise') return undefined
    const earlier = messages.slice(0, -1)
    const content = `So far: ${earlier.map((message) => message.content).join('\n')}`
    const summary = { role: 'user', content } as const
    return { messages: [summary, last], summary: { content, count: earlier.length } }
  },
}

async function startScene(agent: { middleware?: AgentMiddleware[] } = {}, more: OwnTool[] = []) {
  let planted = ''
  let done = 0
  let asked = 0
  const act = () => {
    done += 1
    return 'It is done.'
  }
  const tools = [
    effectTool('send_mail', 'ask', act),
    effectTool('post_data', 'allow', act),
    ...places.map((place) => readerOf(place, () => planted)),
    ...more,
  ]
  const engine = await startEngine({ tools, agent, script: createObedientModel() })
  let { executor, session_id } = engine
  const say = (input: string, approvals: ApprovalPolicy) =>
    collect(executor.execute(input, session_id, { principal: person, approvals }))
  const refusing = decidesBy(() => {
    asked += 1
    return { ...no, on_reject: 'tell' }
  })
  return {
    engine,
    plant(text: string) {
      planted = text
    },
    use(id: string) {
      session_id = id
    },
    restart() {
      executor = engine.createExecutor()
    },
    say,
    refuseAll: (input: string) => say(input, { kind: 'handler', handler: refusing }),
    effects: () => done,
    asked: () => asked,
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  }
}

function effectTool(name: string, approval: 'ask' | 'allow', run: () => string): OwnTool {
  return defineTool({
    ...{ name, approval, run, description: `Acts outside (${name}).` },
    input: z.object({ value: z.string(), n: z.string() }),
  })
}

/** A tool that gives what stands in a place that anybody can write to. */
function readerOf(name: Place, text: () => string): OwnTool {
  return defineTool({
    ...{ name, description: `Reads a ${name} from outside.`, untrusted: true },
    annotations: { openWorldHint: false },
    input: z.object({}),
    run() {
      if (name === 'throwing') throw new AppError('upstream_failed', text())
      if (name === 'structured') return { title: 'News', body: [{ text: text() }] }
      if (name === 'page') return text()
      return { isError: true, content: [{ type: 'text', text: text() }] }
    },
  })
}
