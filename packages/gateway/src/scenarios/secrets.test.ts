import { inspect } from 'node:util'
import { defineTool } from '@dataagent/hub'
import { createRedisKv } from '@dataagent/store/kv'
import {
  createCanary,
  createConsent,
  createRedisScope,
  expectNoCanary,
  findService,
  startHostileHttp,
} from '@dataagent/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openSession, openSse } from './test-clients.ts'
import { admin, echo, startTestGateway } from './test-gateway.ts'
import { getCode, redeem, signIn } from './test-sign-in.ts'
import { ask, request, send } from './test-wire.ts'

const seed = '/api/v1/mcp/jsonrpc'

const inRedis = (await findService('redis')) !== undefined

test.skipIf(!inRedis)(
  'keys, tokens and codes are in no log, row or entry, whatever goes wrong [E3.1][E6.1][E6.2]',
  async () => {
    const scope = await createRedisScope()
    onTestFinished(() => scope[Symbol.asyncDispose]())
    const [here, there] = [createRedisKv(scope), createRedisKv(scope)]
    onTestFinished(async () => {
      await Promise.all([here, there].map((kv) => kv[Symbol.asyncDispose]()))
    })
    const { workers, key, logs, dir } = await startTestGateway({ kvs: [here, there] })
    const [{ url, gateway }] = workers
    const secrets: Record<string, string> = { key }
    const { access_token, refresh_token, code } = await signIn(url, { key })
    Object.assign(secrets, { access_token, refresh_token, code })
    const open = await getCode(url, { key })
    secrets.open_code = open.code
    const begun = await ask(url + seed, { body: request(0, 'initialize', { apiKey: key }) })
    secrets.sessionToken = begun.result.sessionToken

    const refusals: string[] = []
    const note = async (body: object | string, token?: string, path = '/mcp') => {
      const wire = await send(url + path, { token, body })
      await wire.ended
      refusals.push(wire.text(), JSON.stringify([...wire.headers]))
    }
    const nearly = `${key.slice(0, -1)}~`
    secrets.nearly = nearly
    await note(request(1, 'tools/list'), nearly)
    await note(`{"apiKey":"${key}","sessionToken":"${access_token}"`, access_token)
    await note(`{"apiKey":"${key}","sessionToken":"${access_token}"`, undefined, seed)
    await note(request(1, access_token), access_token)
    const inArguments = {
      text: 'hi',
      apiKey: key,
      sessionToken: access_token,
      token: refresh_token,
    }
    await note(request(1, 'tools/call', { name: 'echo', arguments: inArguments }), key)
    await note(request(1, 'initialize', { apiKey: nearly }), undefined, seed)
    await note(request(1, 'tools/list', { sessionToken: access_token }), key, seed)
    await createConsent({ key: nearly })(begun.result.authorization_url ?? '').catch(() => {})
    await getCode(url, { key: nearly }).catch(() => {})
    await redeem(url, { code: open.code, client_id: 'another' })
    const sse = await openSse(url, access_token)
    await sse.post(url, '{', access_token)
    const { headers } = await openSession(url, access_token)
    await send(`${url}/mcp`, { method: 'DELETE', token: access_token, headers })
    await gateway.groups.rotateKey(admin, 'all')

    const told = logs.map((entry) => inspect(entry, { depth: 10, maxStringLength: null }))
    expect(told.length).toBeGreaterThan(0)
    // What a caller puts where no secret belongs comes back to that caller alone.
    const sinks = [
      { name: 'logs', text: told.join('\n') },
      { directory: dir },
      { database: scope.url },
    ]
    await expectNoCanary(Object.values(secrets), sinks)
    expect(refusals.join('\n')).not.toContain(open.code)
  },
)

test('what a tool or server throws is told to nobody outside [E5.2][E6.2]', async () => {
  const canary = createCanary('thrown')
  const header = createCanary('header')
  const failing = defineTool({
    ...{ name: 'failing', description: 'Fails.', input: z.object({}) },
    run: () => {
      throw new Error(`connect postgres://u:${canary.password}@db ${canary.apiKey}`)
    },
  })
  const hostile = await startHostileHttp('reflects_headers')
  onTestFinished(() => hostile[Symbol.asyncDispose]())
  const { workers, key: token, connect, logs } = await startTestGateway({ tools: [echo, failing] })
  const headers = { authorization: header.header }
  await connect({ name: 'hostile', url: hostile.url, headers })
  const [{ url }] = workers
  const answers: string[] = []
  for (const name of ['failing', 'touch']) {
    for (const path of ['/mcp', seed]) {
      const wire = await send(url + path, { token, body: request(1, 'tools/call', { name }) })
      await wire.ended
      answers.push(wire.text())
    }
  }
  expect(answers[0]).toContain('error')
  expect(answers[2]).not.toContain('Unknown tool')
  const sinks = [{ name: 'answers', text: answers.join('\n') }]
  await expectNoCanary([canary, header], sinks)
  const told = logs.map((entry) => inspect(entry, { depth: 10, maxStringLength: null }))
  await expectNoCanary([header], [{ name: 'logs', text: `${told.join('\n')}.` }])
})
