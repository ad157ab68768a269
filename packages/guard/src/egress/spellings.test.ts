import { isAppError } from '@dataagent/schema/base'
import { longCount } from '@dataagent/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Lookup, LookupAnswer } from './connector.ts'
import type { Egress } from './contract.ts'
import { createEgress } from './egress.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'

/** Ways to write an address of this machine or of its network. */
const spellings = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.0.0.1.',
  '127.255.255.254',
  '0x7f.1',
  '0x7f000001',
  '0x7F.0x0.0x0.0x1',
  '2130706433',
  '017700000001',
  '0177.0.0.1',
  '0177.0x0.0.01',
  '①②⑦.⓪.⓪.①',
  '１２７.０.０.１',
  '127。0。0。1',
  '127．0．0．1',
  '127｡0｡0｡1',
  '%31%32%37.0.0.1',
  '0.0.0.0',
  '0',
  'localhost',
  'localhost.',
  'LOCALHOST',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'any.localhost',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:7f00:1]',
  '[::ffff:127.0.0.1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fd00::1]',
  '169.254.169.254',
  '[::ffff:a9fe:a9fe]',
  '10.0.0.1',
  '100.64.0.1',
]

// The address that a policy may reach in these tests; the listeners that must see nothing have the
// same port.
const goodAddress = process.platform === 'linux' ? '127.0.0.2' : '::1'

let good: TestServer
let listeners: TestServer[]
let port: number

beforeAll(async () => {
  good = await startTestServer(
    (request, response) => {
      const location = new URL(request.url ?? '', 'http://x').searchParams.get('to')
      response.setHeader('connection', 'close')
      if (location !== null) response.writeHead(302, { location })
      response.end('good')
    },
    { host: goodAddress },
  )
  port = good.port
  const hosts = ['127.0.0.1', '::1'].filter((host) => host !== goodAddress)
  const started = hosts.map((host) =>
    startTestServer((_, response) => void response.end(), { host, port }),
  )
  const settled = await Promise.allSettled(started)
  listeners = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
})

afterAll(async () => {
  for (const server of [good, ...listeners]) await server[Symbol.asyncDispose]()
})

let seenBefore: number
const hits = () => listeners.reduce((sum, { connections }) => sum + connections(), 0) - seenBefore

beforeEach(() => {
  seenBefore = 0
  seenBefore = hits()
})

test('the table has at least the 24 spellings', () => {
  expect(new Set(spellings).size).toBeGreaterThanOrEqual(24)
})

test('without a policy most of the spellings do reach the loopback listener', async () => {
  await using egress = createEgress({ policy: { mode: 'any' }, timeoutMs: 2_000 })
  const loopback = spellings.slice(0, spellings.indexOf('[::]'))
  await Promise.all(loopback.map((one) => outcome(egress, `http://${one}:${port}/`)))
  expect(hits()).toBeGreaterThanOrEqual(20)
})

describe('a public policy: 0 hits on a loopback listener', () => {
  test.each(spellings)('asked directly for %s [T4]', async (spelling) => {
    await using egress = createPublicEgress()
    expect(await outcome(egress, `http://${spelling}:${port}/`)).toBe('egress_denied')
    expect(hits()).toBe(0)
  })

  test.each(spellings)('redirected to %s [T6]', async (spelling) => {
    await using egress = createPublicEgress()
    const ascii = spelling.replace(/[^\x20-\x7e]/g, encodeURIComponent)
    const first = goodAddress.includes(':') ? `[${goodAddress}]` : goodAddress
    for (const location of [`http://${ascii}:${port}/`, `//${ascii}:${port}/`]) {
      const asked = `http://${first}:${port}/?to=${encodeURIComponent(location)}`
      expect(await outcome(egress, asked)).toBe('egress_denied')
    }
    expect(hits()).toBe(0)
  })

  test.each(spellings)('a name that changes over to %s [T5]', async (spelling) => {
    const answers = [[toAnswer(goodAddress)], ...toAnswers(spelling).map((answer) => [answer])]
    const lookup: Lookup = async () => answers.shift() ?? toAnswers(spelling)
    await using egress = createPublicEgress(lookup)
    expect(await outcome(egress, `http://rebind.example:${port}/`)).toBe(200)
    expect(await outcome(egress, `http://rebind.example:${port}/`)).toBe('egress_denied')
    expect(hits()).toBe(0)
  })

  test.each(spellings)('a name with a good address and %s at once', async (spelling) => {
    const lookup: Lookup = async () => [toAnswer(goodAddress), ...toAnswers(spelling)]
    await using egress = createPublicEgress(lookup)
    expect(await outcome(egress, `http://both.example:${port}/`)).toBe('egress_denied')
    expect(hits()).toBe(0)
  })

  test.each([
    'http://good@127.0.0.1:PORT/',
    'http://127.0.0.1:PORT\\@good.example/',
    'http://good.example\\@127.0.0.1:PORT/',
    'http:\\\\127.0.0.1:PORT/',
    'http:127.0.0.1:PORT',
    'http:///127.0.0.1:PORT/',
    'http://127.0.0.1:PORT#@good.example/',
    'http://127.0.0.1:PORT?@good.example/',
    ' \thttp://127.0.0.1:PORT/ ',
    'ht\ntp://127.0.0.1:PORT/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:PORT/',
    'ftp://127.0.0.1:PORT/',
    'data:text/plain,x',
    'javascript:alert(1)',
  ])('asked for the trick address %j [T6]', async (trick) => {
    const lookup: Lookup = async () => [toAnswer('127.0.0.1')]
    await using egress = createPublicEgress(lookup)
    expect(await outcome(egress, trick.replace('PORT', String(port)))).toBe('egress_denied')
    expect(hits()).toBe(0)
  })

  const count = longCount(200, 10_000)

  test(`a name that flips at each of ${count} look-ups is resolved once a connection and never leads astray [T5]`, async () => {
    let lookups = 0
    const lookup: Lookup = async () => {
      lookups += 1
      return [toAnswer(lookups % 2 === 1 ? goodAddress : '127.0.0.1')]
    }
    await using egress = createPublicEgress(lookup)
    const outcomes = new Map<unknown, number>()
    for (let done = 0; done < count; done += 20) {
      const asked = Array.from({ length: 20 }, () =>
        outcome(egress, `http://flip.example:${port}/`),
      )
      for (const one of await Promise.all(asked)) outcomes.set(one, (outcomes.get(one) ?? 0) + 1)
    }
    expect(hits()).toBe(0)
    expect(lookups).toBe(count)
    expect(Object.fromEntries(outcomes)).toEqual({ 200: count / 2, egress_denied: count / 2 })
  })
})

function createPublicEgress(lookup?: Lookup): Egress {
  const entry = goodAddress.includes(':') ? `[${goodAddress}]:${port}` : `${goodAddress}:${port}`
  const policy = { mode: 'public', allowedAddresses: [entry] } as const
  return createEgress({ policy, timeoutMs: 5_000, ...(lookup && { lookup }) })
}

async function outcome(egress: Egress, url: string): Promise<unknown> {
  try {
    const response = await egress.request(url)
    await response.text()
    return response.status
  } catch (error) {
    return isAppError(error) ? error.code : error
  }
}

/** What a name server would have to answer to lead to the place a spelling means. */
function toAnswers(spelling: string): LookupAnswer[] {
  const { hostname } = new URL(`http://${spelling}`)
  if (/localhost\.?$/.test(hostname)) return [toAnswer('127.0.0.1'), toAnswer('::1')]
  return [toAnswer(hostname.replace(/[[\]]/g, ''))]
}

function toAnswer(address: string): LookupAnswer {
  return { address, family: address.includes(':') ? 6 : 4 }
}
