import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { startMall } from '@dataagent/example-mall'
import { createEgress } from '@dataagent/guard'
import { readJson } from '@dataagent/schema'
import {
  type Canary,
  captureOutput,
  createCanary,
  expectNoCanary,
  startHostileHttp,
  startOtlpReceiver,
  waitFor,
} from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { ToolOutcome } from '../outcome.ts'
import { createTracer } from '../tracing/index.ts'
import { everything, startTestHub, type TestHub, tenant_id, toContext } from './test-hub.ts'
import { getOrder } from './test-mall-words.ts'
import { startReflectingServer } from './test-reflecting-server.ts'

const manifest = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/package.json',
)

const secretNames = ['Authorization', 'apiKey', 'token', 'sessionToken', 'password', 'api_key']

test('a header is in no span, row, response or log, not even when it is refused [A5.3]', async () => {
  const canary = createCanary('header')
  await using mall = await startMall({ token: `canary-${canary.marker}` })
  await using rig = await startRig()
  const headers = { authorization: canary.header }
  await rig.test.connect({ name: 'mall', url: mall.url, transport: 'sse', headers })
  await rig.call(getOrder)
  await mall.answer(401)
  await rig.call(getOrder)
  await mall.dropStreams()
  await rig.test.offered('mall', false)
  await rig.call(getOrder)
  expect(rig.outcomes[0]).toMatchObject({ status: 'ok' })
  await rig.expectClean([canary])
})

test('a tool that echoes its token gives stars in its place [A5.3]', async () => {
  const canary = createCanary('echoed')
  await using server = await startReflectingServer()
  await using rig = await startRig()
  const headers = { authorization: canary.header, 'x-api-key': canary.apiKey }
  await rig.test.connect({ name: 'mirror', url: server.url, headers })
  const outcome = await rig.call({ tool: 'mirror.reflect' })
  expect(outcome).toMatchObject({ status: 'ok', result: { text: expect.stringContaining('***') } })
  await rig.expectClean([canary])
})

test('a server that shows headers in its error page shows no credential [A5.3]', async () => {
  const canary = createCanary('error page')
  await using server = await startHostileHttp('reflects_headers')
  await using rig = await startRig()
  const headers = { authorization: canary.header }
  await rig.test.connect({ name: 'mirror', url: server.url, headers, maxRetries: 0 })
  const outcome = await rig.call({ tool: 'mirror.echo', args: { message: 'hello' } })
  expect(outcome.status).toBe('failed')
  await rig.expectClean([canary])
})

test('a real server that prints its environment prints no credential [A5.3]', async () => {
  const canary = createCanary('environment')
  await using rig = await startRig()
  await rig.test.connect({
    name: 'everything',
    command: process.execPath,
    args: [join(dirname(manifest), 'dist/index.js'), 'stdio'],
    env: { API_TOKEN: canary.apiKey, PLAIN: 'plain value' },
  })
  const outcome = await rig.call({ tool: 'everything.get-env' })
  expect(outcome).toMatchObject({
    status: 'ok',
    result: { text: expect.stringContaining('plain value') },
  })
  await rig.expectClean([canary])
})

test('a password that is a word is in no line that its server writes [A5.3]', async () => {
  await using rig = await startRig()
  const script = 'console.error("I know", process.env.PASSWORD, "well"); process.stdin.resume()'
  await rig.test.register({
    ...{ name: 'talker', command: process.execPath, args: ['-e', script] },
    env: { PASSWORD: 'correct-horse' },
  })
  const lines = () => rig.test.logs.map(({ message }) => message)
  await waitFor(() => lines().some((line) => line.includes('I know')))
  expect(lines()).toContain('stderr: I know *** well')
})

test("a proxy's password is in no message of a server that cannot be reached [A5.3]", async () => {
  const canary = createCanary('proxy')
  await using rig = await startRig()
  const proxy = `http://user:${canary.marker}@127.0.0.1:1`
  await rig.test.register({ name: 'far', url: 'http://far.example/mcp', proxy })
  const health = () => rig.test.hub.upstreams.health(tenant_id, 'far')
  await waitFor(() => health()[0]?.status === 'error')
  await rig.call({ tool: 'far.echo' })
  await rig.expectClean([canary], health())
})

test("a user's own credential goes to the server, and nowhere else [A5.3]", async () => {
  const [ada, bob] = [createCanary('ada'), createCanary('bob')]
  await using server = await startReflectingServer()
  await using rig = await startRig()
  const { hub } = rig.test
  const { server_id } = await rig.test.register({
    name: 'mirror',
    url: server.url,
    credentials: 'user',
    headers: { authorization: 'Bearer of-nobody' },
  })
  for (const [user_id, canary] of Object.entries({ ada, bob })) {
    const headers = { authorization: canary.header }
    const { principal } = toContext({ user_id })
    await hub.servers.setCredential(principal, server_id, { headers })
  }
  hub.upstreams.hold({ tenant_id, user_id: 'ada' })
  await rig.test.offered(server_id)
  for (const user_id of ['ada', 'bob', 'ada']) {
    const outcome = await rig.call({ tool: 'mirror.reflect' }, user_id)
    expect(outcome).toMatchObject({
      status: 'ok',
      result: { text: expect.stringContaining('***') },
    })
  }
  await rig.expectClean([ada, bob])
})

test('an argument under a secret name is recorded as stars, at any depth [A5.3] [E6.2]', async () => {
  const canary = createCanary('argument')
  await using server = await startReflectingServer()
  await using mall = await startMall()
  await using rig = await startRig()
  await rig.test.connect({ name: 'mirror', url: server.url })
  await rig.test.connect({ name: 'mall', url: mall.url, transport: 'sse' })
  const toSecrets = (value: string) =>
    Object.fromEntries(secretNames.map((name) => [name, value.replace('NAME', name)]))
  // Words that nothing but their name gives away.
  const secrets = toSecrets(`${canary.marker} NAME`)
  const given = { ...secrets, plain: 'kept', nested: { list: [{ ...secrets, plain: 'kept' }] } }
  expect(await rig.call({ tool: 'mirror.keep', args: given })).toMatchObject({ status: 'ok' })
  const args = { ...getOrder.args, ...given }
  expect(await rig.call({ ...getOrder, args })).toMatchObject({ status: 'invalid' })
  await rig.test.hub.audit.flush()
  const rows = await rig.test.hub.audit.query(rig.test.admin, { limit: 2, offset: 0 })
  const stars = toSecrets('***')
  const masked = { ...stars, plain: 'kept', nested: { list: [{ ...stars, plain: 'kept' }] } }
  const recorded = rows.map((row) => readJson(row.args!))
  expect(recorded).toEqual([{ ...getOrder.args, ...masked }, masked])
  await rig.expectClean([canary])
})

/** A hub that records arguments and sends spans, and all that left it. */
interface Rig extends AsyncDisposable {
  test: TestHub
  outcomes: ToolOutcome[]
  call(
    call: { tool: string; args?: Record<string, unknown> },
    user_id?: string,
  ): Promise<ToolOutcome>
  expectClean(canaries: Canary[], ...more: unknown[]): Promise<void>
}

async function startRig(): Promise<Rig> {
  const cleanup = new AsyncDisposableStack()
  const output = cleanup.use(captureOutput())
  const receiver = cleanup.use(await startOtlpReceiver())
  const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
  const tracer = createTracer({ endpoint: receiver.url, egress, serviceName: 'dataagent' })
  const settings = { defaultAllow: everything, recordArgs: true }
  const test = cleanup.use(await startTestHub({ settings, tracer }))
  const outcomes: ToolOutcome[] = []
  return {
    test,
    outcomes,
    async call(call, user_id = 'ada') {
      const outcome = await test.hub.callTool(toContext({ user_id }), call)
      outcomes.push(outcome)
      return outcome
    },
    async expectClean(canaries, ...more) {
      await test.hub.audit.flush()
      await tracer.flush()
      const calls = receiver.spans.filter(({ name }) => name.startsWith('execute_tool '))
      expect(calls).toHaveLength(outcomes.length)
      await expectNoCanary(canaries, [
        { name: 'spans', object: receiver.requests },
        { name: 'outcomes', object: outcomes },
        { name: 'log', object: test.logs },
        { name: 'output', text: output.text() },
        { name: 'more', object: more },
        { name: 'servers', text: JSON.stringify(test.hub.servers.all()) },
        { directory: test.dir },
      ])
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}
