import { type Mall, startMall } from '@dataagent/example-mall'
import { createEgress } from '@dataagent/guard'
import type { Principal } from '@dataagent/hub'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createSettings } from '../config/index.ts'
import { collect, of, person, startEngine, type TestEngine, textOf } from '../engine/test-engine.ts'
import { clerk } from './test-clerk.ts'

const getOrder = 'mall4j.order.get_detail'
const admin: Principal = { ...person, user_id: 'root', role: 'admin' }

test('a missing field is the error that the model gets; it asks the user, and goes on with the answer [A3.3] [B4.1]', async () => {
  await using scene = await startScene()
  const first = await scene.engine.say('Where is my order?')
  const [result] = of(first, 'tool_result')
  expect(result).toMatchObject({ status: 'error', outcome: 'invalid' })
  expect(result?.result).toMatchObject({
    code: 'invalid_arguments',
    tool_name: expect.stringContaining(getOrder),
    errors: [{ path: 'orderId', expected: expect.any(String), got: expect.any(String) }],
  })
  expect(JSON.parse(scene.lastResult())).toEqual(result?.result)
  expect(textOf(first)).toBe('What is the orderId?')
  expect(first.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  expect(await scene.mall.calls()).toEqual([])
  expect(await scene.auditError()).toEqual(result?.result)
  const second = await scene.engine.say('It is order-0042')
  expect(of(second, 'tool_result')).toMatchObject([{ status: 'success', outcome: 'ok' }])
  expect(textOf(second)).toContain('Here it is')
  expect((await scene.mall.calls(getOrder)).map(({ arguments: args }) => args)).toEqual([
    { orderId: 'order-0042' },
  ])
})

test('a call over its time limit is told, and the run goes on [A4.3] [B4.3]', async () => {
  await using scene = await startScene({ toolTimeouts: { [getOrder]: 0.3 } })
  await scene.mall.delay(getOrder, 60_000)
  await scene.expectTold('timeout')
  await waitFor(async () => (await scene.mall.calls())[0]?.status === 'cancelled')
  await scene.mall.delay(getOrder, 0)
  await scene.expectWorks()
})

test('a server that fails is told, and the run goes on [A4.3]', async () => {
  await using scene = await startScene({ maxRetries: 0 })
  await scene.mall.answer(500)
  await scene.expectTold('error', 'unavailable')
  await scene.mall.answer('normal')
  await scene.expectWorks()
})

test('a stream that breaks in mid-call is told, and the run goes on [A4.3] [F1]', async () => {
  await using scene = await startScene({ maxRetries: 0 })
  await scene.mall.delay(getOrder, 60_000)
  const told = scene.expectTold('error', 'unavailable', 'unknown_outcome')
  await waitFor(async () => (await scene.mall.calls()).length === 1)
  await scene.mall.dropStreams()
  await told
  await scene.mall.delay(getOrder, 0)
  await scene.expectWorks()
})

test('a server that is not running is told in words, and the conversation goes on [B4.2] [A4.3]', async () => {
  await using scene = await startScene()
  await scene.mall.close()
  await waitFor(() => scene.offers().every(({ offer }) => offer.status !== 'offered'), {
    timeoutMs: 20_000,
  })
  await scene.expectTold('unavailable')
  const { message } = JSON.parse(scene.lastResult())
  expect(message).toMatch(/^The server "mall" .*not available now: go on without it, or try again/)
  expect(message).toContain('the stream of the server was lost. Look at what')
  expect(message).not.toMatch(/\bE[A-Z]{4,}\b|errno/)
}, 60_000)

test('a server that is disabled is told in words, and the conversation goes on [B4.2]', async () => {
  await using scene = await startScene()
  await scene.update({ disabled: true })
  await scene.expectTold('unavailable')
  expect(JSON.parse(scene.lastResult()).message).toMatch(/^The server "mall" .* it is disabled\.$/)
})

test('a model that writes its calls into its text runs the same pipeline: the call, its record, a refusal, an invalid call [B6.1] [B6.2]', async () => {
  await using scene = await startScene()
  const { engine, mall } = scene
  const { hub, standIn } = engine
  const allowed = [{ server_id: '*', tool: getOrder }]
  await hub.policy.setAllowList(admin, { kind: 'tenant', id: '*' }, allowed)
  await using plain = createPlainExecutor(engine)
  const wireName = (tool: string) =>
    scene.offers().find((entry) => entry.tool.name === tool)?.wire_name ?? ''
  /** One turn that calls the tool: its result, and the message that told the model of it. */
  async function call(tool: string, args: Record<string, unknown>) {
    const name = wireName(tool)
    standIn.script([{ toolCalls: [{ name, arguments: args }] }, { text: 'I see.' }])
    const events = await plain.say('Go')
    expect(textOf(events)).toBe('I see.')
    const [asked, next] = standIn.requests.slice(-2).map(({ body }) => body)
    for (const body of [asked, next]) expect(body).not.toHaveProperty('tools')
    const { messages } = next as { messages: Record<string, unknown>[] }
    const told = messages.at(-1)
    expect(told).toMatchObject({ role: 'tool', name, content: expect.any(String) })
    return { result: of(events, 'tool_result')[0], told: String(told?.content) }
  }

  const good = await call(getOrder, { orderId: 'order-0042' })
  expect(good.result).toMatchObject({ status: 'success', outcome: 'ok' })
  expect(good.told).toContain('order-0042')
  const sent = (await mall.calls()).map(({ tool, arguments: args }) => [tool, args])
  expect(sent).toEqual([[getOrder, { orderId: 'order-0042' }]])
  await hub.audit.flush()
  expect(await hub.audit.query(admin, { limit: 10, offset: 0 })).toMatchObject([
    { tool_name: getOrder, status: 'ok', user_id: 'ada' },
  ])
  const refused = await call('mall4j.product.search', { keyword: 'tea' })
  expect(refused.result).toMatchObject({ status: 'error', outcome: 'denied' })
  expect(refused.told).toContain('tool_not_allowed')
  const invalid = await call(getOrder, {})
  expect(invalid.result).toMatchObject({ status: 'error', outcome: 'invalid' })
  expect(JSON.parse(invalid.told)).toMatchObject({ errors: [{ path: 'orderId' }] })
  expect(await mall.calls()).toHaveLength(1)
})

/** Turns of the same agent on a model that settings say cannot call tools. */
function createPlainExecutor({ agent, standIn, session_id, createExecutor }: TestEngine) {
  const egress = createEgress({ policy: { mode: 'any' } })
  const name = 'openai:standin-textcalls'
  const settings = createSettings({
    ...{ egress, root: '/nowhere' },
    env: { OPENAI_API_KEY: standIn.apiKey, OPENAI_BASE_URL: `${standIn.url}/v1` },
    models: { [name]: { context_window: 100_000, calls_tools: false } },
  })
  const executor = createExecutor({ agent: { ...agent, model: settings.createModel(name) } })
  return {
    say: (input: string) => collect(executor.execute(input, session_id, { principal: person })),
    [Symbol.asyncDispose]: () => egress.close(),
  }
}

async function startScene(config: Record<string, unknown> = {}) {
  const cleanup = new AsyncDisposableStack()
  const mall: Mall = cleanup.use(await startMall())
  const engine = cleanup.use(await startEngine({ script: clerk, agent: { toolMode: 'always' } }))
  const { hub, standIn } = engine
  await hub.policy.setAllowList(admin, { kind: 'tenant', id: '*' }, [{ server_id: '*', tool: '*' }])
  const wanted = { name: 'mall', url: mall.url, transport: 'sse', ...config } as const
  const server = await hub.servers.register(admin, { scope: 'tenant', config: wanted })
  await hub.whenOffered(server)
  return {
    ...{ mall, engine },
    update: (changes: Record<string, unknown>) =>
      hub.servers.update(admin, server.server_id, { ...wanted, ...changes }),
    offers: () => hub.catalogue.ofServer(person.tenant_id, server.server_id),
    lastResult: () => standIn.requests.at(-1)?.turns.at(-1)?.toolResults[0]?.text ?? '',
    /** What the audit says of the last call. */
    async auditError() {
      await hub.audit.flush()
      const [row] = await hub.audit.query(admin, { limit: 1, offset: 0 })
      return JSON.parse(row?.error ?? 'null')
    },
    async expectTold(...outcomes: string[]) {
      const events = await engine.say('Where is order-0042?')
      const [result] = of(events, 'tool_result')
      expect(outcomes).toContain(result?.outcome)
      expect(result).toMatchObject({ status: 'error', result: { message: expect.any(String) } })
      expect(textOf(events)).toContain('It cannot be looked up now')
      expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
    },
    async expectWorks() {
      await waitFor(
        async () => textOf(await engine.say('And order-0007?')).includes('Here it is'),
        {
          timeoutMs: 20_000,
        },
      )
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}
