import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '@dataagent/guard'
import { type HostileHttp, longCount, startHostileHttp } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createServerMetrics, type Route, watchReadiness } from '../deps/index.ts'
import { mayAccess } from '../identity/index.ts'
import { createTestLog } from '../testing/test-app.ts'
import { keyOf, type Person, people, startTestPlatform } from '../testing/test-platform.ts'
import { type ApiOptions, apiRoutes } from './index.ts'
import { type MatrixCase, type MatrixRig, matrixCases } from './test-matrix-cases.ts'

const readiness = { dependencies: [], clock: systemClock, log: createTestLog().log, onFatal() {} }
// Only listed: nobody calls these.
const routes = apiRoutes({
  ...{ version: '1', clock: systemClock, readiness: watchReadiness(readiness), worker: '0' },
  ...{ metrics: createServerMetrics(), config: { public_url: undefined }, oidc: undefined },
} as ApiOptions)
const nameOf = ({ method, path }: Route) => `${method} ${path}`

let rig: MatrixRig
let mall: HostileHttp
beforeAll(async () => {
  const allowed_addresses = ['127.0.0.1']
  const config = { multi_tenant: true, allowed_addresses, mcp_servers_per_user: 1_000 }
  const server = await startTestPlatform({ config })
  mall = await startHostileHttp('none')
  const json = { config: { name: 'mall', url: mall.url } }
  const { body } = await server.ask('POST', '/mcp-servers', { as: 'boss', json })
  await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id: String(body.server_id) })
  const acting = { name: 'acting', act_as: true }
  const made = await server.ask('POST', '/users/boss/api-keys', { as: 'boss', json: acting })
  rig = { server, actingKey: String(made.body.key) }
})
afterAll(async () => {
  await rig.server[Symbol.asyncDispose]()
  await mall[Symbol.asyncDispose]()
})

const callers = ['ada', 'bob', 'zoe', 'max', 'eve', 'boss', 'operator', null] as const
type Caller = (typeof callers)[number]
const carriers = ['x-api-key', 'bearer', 'cookie', 'act-as'] as const
type Carrier = (typeof carriers)[number]

/** A status, or that the request is let through. */
type Expected = number | 'let through'

function expectedOf({ access }: Route, asked: MatrixCase, caller: Caller): Expected {
  if (access === 'public') return 'let through'
  if (caller === null) return 401
  const { tenant_id, role } = people[caller]
  if (!mayAccess(people[caller], access)) return 403
  const exception = asked.but?.[caller]
  if (exception !== undefined) return exception
  if (asked.of === 'all' || caller === 'ada') return 'let through'
  if (tenant_id !== 'acme') return 404
  if (asked.of === 'acme') return 'let through'
  return asked.managed && role === 'admin' ? 'let through' : 404
}

/** Those who may be acted for have one more way in. */
function carriersOf(caller: Caller, { notActing }: MatrixCase): readonly Carrier[] {
  if (caller === null) return ['x-api-key']
  const isActedFor = (caller === 'ada' || caller === 'bob') && !notActing
  return isActedFor ? carriers : carriers.filter((carrier) => carrier !== 'act-as')
}

const cookies = new Map<Person, string>()

async function cookieOf(person: Person): Promise<string> {
  const known = cookies.get(person)
  if (known !== undefined) return known
  const json = { api_key: keyOf(person) }
  const { headers } = await rig.server.ask('POST', '/sign-in', { as: null, json })
  const cookie = (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  cookies.set(person, cookie)
  return cookie
}

async function credentialOf(caller: Caller, carrier: Carrier): Promise<Record<string, string>> {
  if (caller === null) return {}
  if (carrier === 'x-api-key') return { 'x-api-key': keyOf(caller) }
  if (carrier === 'act-as') return { 'x-api-key': rig.actingKey, 'x-dataagent-act-as': caller }
  if (carrier === 'bearer') return { authorization: `Bearer ${keyOf(caller)}` }
  return { cookie: await cookieOf(caller), origin: rig.server.url }
}

async function send(route: Route, asked: MatrixCase, headers: Record<string, string>) {
  const path = (await asked.path?.(rig)) ?? route.path
  const json = await asked.json?.(rig)
  const type = asked.body === undefined ? 'application/json' : 'application/octet-stream'
  const body = asked.body ?? (json === undefined ? undefined : JSON.stringify(json))
  const response = await fetch(`${rig.server.url}/api/v1${path}${asked.query ?? ''}`, {
    method: route.method,
    redirect: 'manual',
    headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return { status: response.status, text }
}

type Answer = Awaited<ReturnType<typeof send>>

/** What must be the same whichever way the credential came. */
function essence({ method }: Route, { path, varies }: MatrixCase, { status, text }: Answer) {
  if (status >= 400) return `${status} ${/"error_code":"(\w+)"/.exec(text)?.[1]}`
  const isSame = method === 'GET' && path === undefined && !varies
  return isSame ? `${status} ${text}` : String(status)
}

test('every route has a case, and every case a route [T35, T36]', () => {
  expect(Object.keys(matrixCases).toSorted()).toEqual(routes.map(nameOf).toSorted())
})

describe('who may call, whichever way the credential is carried [D19.2] [T35, T36]', () => {
  test.each(routes.map((route) => ({ name: nameOf(route), route })))('$name', async (row) => {
    const asked = matrixCases[row.name]!
    for (const caller of callers) {
      const expected = expectedOf(row.route, asked, caller)
      const answers = await answersTo(row.route, asked, caller)
      const [first = '', ...others] = answers.map((answer) => essence(row.route, asked, answer))
      expect(others, `${caller}`).toEqual(others.map(() => first))
      const isRight = fits(answers[0]!.status, expected, asked)
      expect(isRight, `${caller}: ${first.slice(0, 200)}, not ${expected}`).toBe(true)
    }
  })
})

/** Of the fields of our tables. */
const oneIn = longCount(60, 1)

describe(`a body with a field of our tables that the route does not name is refused, tried with one in ${oneIn} [T48]`, () => {
  const withBodies = routes.filter(({ body }) => body !== undefined)

  test.each(withBodies.map((route) => ({ name: nameOf(route), route })))('$name', async (row) => {
    const asked = matrixCases[row.name]!
    const caller = (['ada', 'boss', 'operator'] as const).find((one) =>
      ['let through', 200].includes(expectedOf(row.route, asked, one)),
    )!
    const headers = await credentialOf(caller, 'x-api-key')
    const some = columns().filter((_, at) => at % oneIn === 0)
    const own = fieldsOf(row.route)
    // As nothing is changed, one of each is enough.
    const path = (await asked.path?.(rig)) ?? row.route.path
    const good = (await asked.json?.(rig)) as object
    for (const column of [...raising, ...some].filter((name) => !own.has(name))) {
      const json = () => ({ ...good, [column]: 'admin' })
      const bad = { ...asked, path: async () => path, json }
      const { status, text } = await send(row.route, bad, headers)
      expect([column, status, text.slice(0, 300)]).toEqual([
        column,
        400,
        expect.stringContaining(column),
      ])
    }
  })
})

/** What would give one more than one has. */
const raising = ['role', 'tenant_id', 'user_id', 'act_as']

/** The names of all columns there are. */
function columns(): string[] {
  using database = new DatabaseSync(join(rig.server.dir, 'dataagent.db'), { readOnly: true })
  const rows = database
    .prepare(
      'select distinct c.name from sqlite_master t, pragma_table_info(t.name) c order by c.name',
    )
    .all()
  return rows.map(({ name }) => String(name))
}

function fieldsOf({ body }: Route): ReadonlySet<string> {
  const options = { io: 'input', unrepresentable: 'any' } as const
  const { properties, anyOf, oneOf } = z.toJSONSchema(body!, options)
  const all = [{ properties }, ...(anyOf ?? []), ...(oneOf ?? [])] as { properties?: object }[]
  return new Set(all.flatMap((one) => Object.keys(one.properties ?? {})))
}

async function answersTo(route: Route, asked: MatrixCase, caller: Caller): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const carrier of carriersOf(caller, asked)) {
    answers.push(await send(route, asked, await credentialOf(caller, carrier)))
    if (asked.signsOut) cookies.clear()
  }
  return answers
}

function fits(status: number, expected: Expected, { may }: MatrixCase): boolean {
  if (expected !== 'let through') return status === expected
  return may?.includes(status) ?? (status < 500 && ![401, 403, 404].includes(status))
}
