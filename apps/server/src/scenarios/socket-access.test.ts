import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  keyOf,
  type Person,
  startTestPlatform,
  type TestPlatform,
} from '../testing/test-platform.ts'
import { openTestSocket } from '../testing/test-socket.ts'

let server: TestPlatform
let session_id: string
beforeAll(async () => {
  server = await startTestPlatform({ config: { multi_tenant: true } })
  const { body } = await server.ask('POST', '/sessions', { json: {} })
  session_id = String(body.session_id)
})
afterAll(() => server[Symbol.asyncDispose]())

const carriers = ['header', 'first message', 'cookie'] as const
type Carrier = (typeof carriers)[number]

/** What a socket to a session of ada's gets: its greeting, or the code it is closed with. */
const expected: [caller: Person | null, outcome: 'connected' | number][] = [
  ['ada', 'connected'],
  ['bob', 4404],
  ['boss', 4404],
  ['zoe', 4404],
  ['max', 4404],
  ['operator', 4404],
  ['eve', 4403],
  [null, 4401],
]

async function cookieOf(person: Person): Promise<string> {
  const json = { api_key: keyOf(person) }
  const { headers } = await server.ask('POST', '/sign-in', { as: null, json })
  return (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
}

async function headersOf(caller: Person | null, carrier: Carrier): Promise<Record<string, string>> {
  if (caller === null || carrier === 'first message') return {}
  if (carrier === 'header') return { 'x-api-key': keyOf(caller) }
  return { cookie: await cookieOf(caller), origin: server.url }
}

async function outcomeOf(caller: Person | null, carrier: Carrier): Promise<'connected' | number> {
  const headers = await headersOf(caller, carrier)
  using socket = openTestSocket({ url: server.url, session_id, headers })
  const isSaidLater = Object.keys(headers).length === 0
  if (isSaidLater) socket.socket.once('open', () => sayWho())
  return await socket.next('connected').then(
    () => 'connected' as const,
    async () => (await socket.closed).code,
  )

  function sayWho(): void {
    if (caller === null) socket.send('ping')
    else socket.send('authenticate', { api_key: keyOf(caller) })
  }
}

const cells = expected.flatMap(([caller, outcome]) =>
  carriers.map((carrier) => ({ caller, carrier, outcome })),
)

test.each(cells)(
  'a socket to a session of ada by $caller with $carrier: $outcome [D19.2] [T35, T36]',
  async ({ caller, carrier, outcome }) => {
    expect(await outcomeOf(caller, carrier)).toBe(outcome)
  },
)
