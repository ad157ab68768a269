import { fileURLToPath } from 'node:url'
import type { ServerConfigInput } from '@dataagent/schema'
import { startHostileHttp, waitFor } from '@dataagent/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startLegacyFixture } from '../../conformance/fixture-legacy.ts'
import { startModernFixture } from '../../conformance/fixture-modern.ts'
import { openSession, openSse } from './test-clients.ts'
import { admin, startTestGateway } from './test-gateway.ts'
import { clientKinds, connectClient } from './test-sdk-clients.ts'
import { startUpstream } from './test-upstream.ts'
import { ask, type Rpc, request, send } from './test-wire.ts'

const changed = ({ method }: Rpc) => method === 'notifications/tools/list_changed'

test('a server that dies and returns does so on the same sessions of its clients [A1.3][A1.4]', async () => {
  const upstream = await startUpstream()
  const { workers, key: token, connect } = await startTestGateway()
  await connect({ name: 'upstream', url: upstream.url, healthEvery: 1 })
  const [{ url: here }, { url: there }] = workers
  const { headers } = await openSession(here, token)
  const streams = [
    await send(`${there}/mcp`, { method: 'GET', token, headers }),
    (await openSse(here, token)).stream,
  ]
  const names = async (url: string): Promise<string[]> => {
    const { result } = await ask(`${url}/mcp`, { token, headers, body: request(1, 'tools/list') })
    return result.tools.map(({ name }: { name: string }) => name)
  }
  const call = (url: string) =>
    ask(`${url}/mcp`, { token, headers, body: request(2, 'tools/call', { name: 'say' }) })
  expect(await names(there)).toContain('say')
  expect((await call(there)).result).toBeDefined()

  await upstream.kill()
  // Within a second of the probe that finds it, which is made once a second.
  for (const url of [here, there]) {
    await waitFor(async () => !(await names(url)).includes('say'), { timeoutMs: 10_000 })
    const { status, error } = await call(url)
    expect([status, error?.data?.error_code]).toEqual([200, 'unavailable'])
  }
  await Promise.all(streams.map(({ until }) => until(changed)))
  expect(await names(here)).toContain('echo')

  const told = streams.map(({ messages }) => messages.filter(changed).length)
  await upstream.comeBack()
  for (const url of [here, there]) {
    await waitFor(async () => (await names(url)).includes('say'), { timeoutMs: 25_000 })
    await waitFor(async () => (await call(url)).result !== undefined)
  }
  await waitFor(() =>
    streams.every(({ messages }, n) => messages.filter(changed).length > told[n]!),
  )
}, 90_000)

test('fifty servers are listed and called while one more hangs [A6.1][A6.2]', async () => {
  const upstream = await startUpstream()
  const hanging = await startHostileHttp('half_open')
  onTestFinished(() => hanging[Symbol.asyncDispose]())
  const { workers, key: token } = await startTestGateway()
  const { headers } = await openSession(workers[0].url, token)
  const { servers } = workers[0].hub
  const add = (config: ServerConfigInput) => servers.register(admin, { scope: 'tenant', config })
  await add({ name: 'hanging', url: hanging.url })
  for (let n = 0; n < 50; n++) await add({ name: `server-${n}`, url: `${upstream.url}?n=${n}` })
  for (const { url } of workers) {
    const list = () => ask(`${url}/mcp`, { token, headers, body: request(1, 'tools/list') })
    const { result } = await waitFor(
      async () => {
        const answer = await list()
        // Four tools of each server, and one of our own.
        return answer.result.tools.length >= 201 ? answer : undefined
      },
      { timeoutMs: 40_000, intervalMs: 100 },
    )
    const names: string[] = result.tools.map(({ name }: { name: string }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.some((name) => name.includes('hanging'))).toBe(false)
    const says = names.filter((name) => name === 'say' || name.endsWith('say'))
    expect(says).toHaveLength(50)
    const begun = performance.now()
    await list()
    const listMs = performance.now() - begun
    const answers = await Promise.all(
      says.map((name, n) =>
        ask(`${url}/mcp`, {
          ...{ token, headers },
          body: request(n + 2, 'tools/call', { name, arguments: { n } }),
        }),
      ),
    )
    console.info(`list of ${names.length} tools in ${Math.round(listMs)} ms`)
    expect(answers.map(({ result }) => result?.content[0].text)).toEqual(
      says.map((_, n) => JSON.stringify({ n })),
    )
  }
}, 120_000)

const program = fileURLToPath(new URL('./test-stdio-upstream.ts', import.meta.url))
const ways: Record<string, () => Promise<ServerConfigInput>> = {
  'legacy over HTTP': async () => ({ name: 'fixture', url: await urlOf(startLegacyFixture()) }),
  'modern over HTTP': async () => ({ name: 'fixture', url: await urlOf(startModernFixture()) }),
  'legacy over stdio': async () => toCommand('legacy'),
  'modern over stdio': async () => toCommand('modern'),
}

async function urlOf(starting: ReturnType<typeof startLegacyFixture>): Promise<string> {
  const fixture = await starting
  onTestFinished(() => fixture[Symbol.asyncDispose]())
  return fixture.url
}

function toCommand(era: string): ServerConfigInput {
  return { name: 'fixture', command: process.execPath, args: [program, era] }
}

describe.each(Object.keys(ways))('a server that is %s', (way) => {
  test.each(clientKinds)(
    'has all that it has passed on to the SDK %s [E1.2]',
    async (kind) => {
      const config = await ways[way]!()
      const { workers, key, connect } = await startTestGateway()
      await connect(config)
      const client = await connectClient(kind, workers[0].url, key)
      expect(await client.listTools()).toContain('test_simple_text')

      const progress: number[] = []
      await client.call('test_tool_with_progress', {}, (told) => progress.push(told))
      expect(progress).toEqual([0, 50, 100])
      await client.wantLogs()
      await client.call('test_tool_with_logging')
      expect(client.logs).toContain('Tool execution completed')

      const asking = 'test_input_required_result_'
      expect(await client.call(`${asking}elicitation`)).toBe('Hello, Ada!')
      expect(await client.call(`${asking}sampling`)).toBe('Paris')
      expect(await client.call(`${asking}list_roots`)).toContain('file:///home/ada')

      expect(await client.listPrompts()).toContain('test_prompt_with_arguments')
      const args = { arg1: 'one', arg2: 'two' }
      expect(await client.getPrompt('test_prompt_with_arguments', args)).toMatchObject([
        { content: { text: "Prompt with arguments: arg1='one', arg2='two'" } },
      ])
      expect(await client.complete('par')).toEqual(['paris', 'park', 'party'])
      expect(await client.listResources()).toContain('test://static-text')
      expect(await client.readResource('test://static-text')).toMatchObject([
        { text: 'This is the content of the static text resource.' },
      ])
    },
    60_000,
  )
})
