import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type AuthorizationServerStandIn,
  startAuthorizationServer,
} from '../authorization-server/authorization-server.ts'
import type { StandInAnswer } from '../authorization-server/http-stand-in.ts'
import { createDifyProfile, type DifyProfileOptions } from './dify-profile.ts'
import { answerPost, createSseSide, type Exchange, send, startServer } from './test-server.ts'

const timeouts = { backoffMs: 1 }
const callback = 'http://localhost/console/api/mcp/oauth/callback'
const grant_types_supported = ['authorization_code', 'refresh_token']
const scopes_supported = ['tools']

let open: AsyncDisposableStack
let issuer: AuthorizationServerStandIn

beforeEach(async () => {
  open = new AsyncDisposableStack()
  issuer = open.use(
    await startAuthorizationServer({ metadata: { grant_types_supported, scopes_supported } }),
  )
})
afterEach(() => open.disposeAsync())

type Handle = (exchange: Exchange) => unknown

/** Lets in whoever has a token of the issuer; `others` answers what is no POST to `/mcp`. */
async function startResource(others: Handle = () => {}, refuse: Handle = unauthorized) {
  return open.use(
    await startServer((exchange) => {
      if (exchange.route !== 'POST /mcp') {
        others(exchange)
        if (!exchange.response.headersSent) send(exchange.response, 404)
      } else if (isKnown(exchange)) answerPost(exchange)
      else refuse(exchange)
    }),
  )
}

function isKnown({ headers }: Exchange): boolean {
  return issuer.verify(headers.authorization?.replace('Bearer ', '') ?? '') !== undefined
}

function unauthorized({ response }: Exchange): void {
  send(response, 401, { status: 'authorization_required' })
}

const describesItself: Handle = ({ route, response }) => {
  if (route === 'GET /.well-known/oauth-protected-resource')
    send(response, 200, { authorization_servers: [issuer.issuer] })
}

/** A browser whose person agrees. */
async function agree(authorizationUrl: string): Promise<string> {
  const answer = await issuer.visit(authorizationUrl)
  return `${callback}?${new URLSearchParams({ ...answer })}`
}

function profileAt(origin: string, options: Partial<DifyProfileOptions> = {}) {
  return createDifyProfile({ url: `${origin}/mcp`, authorize: agree, timeouts, ...options })
}

describe('after a 401', () => {
  test('it discovers, registers, authorises and exchanges as Dify does, then asks again', async () => {
    const { origin } = await startResource(describesItself)
    const visited: string[] = []
    const authorize = (url: string) => {
      visited.push(url)
      return agree(url)
    }
    const profile = profileAt(origin, { authorize })
    await profile.listTools()
    expect(profile.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `POST ${origin}/mcp`,
      `GET ${origin}/.well-known/oauth-protected-resource/mcp`,
      `GET ${origin}/.well-known/oauth-protected-resource`,
      `GET ${issuer.origin}/.well-known/oauth-authorization-server`,
      `POST ${issuer.origin}/register`,
      `POST ${issuer.origin}/token`,
      ...Array(3).fill(`POST ${origin}/mcp`),
    ])
    const [, prm, , , register, token, again] = profile.requests
    expect(Object.fromEntries(prm!.headers)).toMatchObject({
      'MCP-Protocol-Version': '2025-06-18',
      'User-Agent': 'Dify',
    })
    expect(register?.body).toBe(
      `{"client_name":"Dify","redirect_uris":["${callback}"],"grant_types":["refresh_token","authorization_code"],"response_types":["code"],"token_endpoint_auth_method":"none","client_uri":"https://github.com/langgenius/dify","scope":null}`,
    )
    expect([...new URL(visited[0]!).searchParams.keys()]).toEqual([
      ...['response_type', 'client_id', 'code_challenge', 'code_challenge_method'],
      ...['redirect_uri', 'state', 'scope'],
    ])
    expect(new URL(visited[0]!).searchParams.get('scope')).toBe('tools')
    const form = new URLSearchParams(token?.body)
    expect([...form.keys()]).toEqual([
      ...['grant_type', 'client_id', 'code', 'code_verifier', 'redirect_uri'],
    ])
    expect(token?.body).toContain('redirect_uri=http%3A%2F%2Flocalhost%2Fconsole')
    const bearer = `Bearer ${profile.tokens?.access_token}`
    expect(again?.headers).toContainEqual(['Authorization', bearer])
  })

  test('it goes where WWW-Authenticate says first, with the scope that it names', async () => {
    const others: Handle = ({ route, response }) => {
      if (route === 'GET /here') send(response, 200, { authorization_servers: [issuer.issuer] })
    }
    const { origin } = await startResource(others, ({ response }) =>
      send(
        response,
        401,
        {},
        {
          'www-authenticate': `Bearer resource_metadata="${origin}/here", scope="a b"`,
        },
      ),
    )
    const visited: string[] = []
    const authorize = (url: string) => {
      visited.push(url)
      return agree(url)
    }
    const profile = profileAt(origin, { authorize })
    await profile.listTools()
    expect(profile.requests[1]?.url).toBe(`${origin}/here`)
    expect(visited[0]).toContain('&scope=a+b')
  })

  test('of a server that describes nothing, it looks at all places in order', async () => {
    const path = '/tenant'
    const others: Handle = ({ route, response }) => {
      if (route === 'GET /.well-known/oauth-protected-resource')
        send(response, 200, { authorization_servers: [`${issuer.origin}${path}`] })
    }
    const { origin } = await startResource(others)
    issuer.intercept = () => ({ status: 404 })
    const profile = profileAt(origin)
    await expect(profile.listTools()).rejects.toThrow('Failed to discover OAuth metadata')
    expect(issuer.requests.map((request) => request.path)).toEqual([
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
      '/.well-known/openid-configuration/tenant',
      '/tenant/.well-known/openid-configuration',
      '/.well-known/oauth-authorization-server/tenant',
    ])
  })

  test('it takes metadata of the server itself where nothing else is named', async () => {
    const others: Handle = async ({ route, response }) => {
      if (route !== 'GET /.well-known/oauth-authorization-server') return
      const endpoints = { authorization_endpoint: `${issuer.origin}/authorize` }
      const more = { token_endpoint: `${issuer.origin}/token` }
      const registration_endpoint = `${issuer.origin}/register`
      const response_types_supported = ['code']
      const rest = { registration_endpoint, response_types_supported, grant_types_supported }
      send(response, 200, { ...endpoints, ...more, ...rest })
    }
    const { origin } = await startResource(others)
    expect(await profileAt(origin).listTools()).toHaveLength(1)
  })

  test.each<[string, StandInAnswer]>([
    ['a page in HTML', { status: 200, body: '<html>' }],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }],
    ['403', { status: 403 }],
  ])('it passes over %s', async (_, first) => {
    const { origin, routes } = await startResource((exchange) => {
      const { route, response } = exchange
      if (route.endsWith('/oauth-protected-resource/mcp'))
        send(response, first.status ?? 200, first.body, { ...first.headers })
      else describesItself(exchange)
    })
    expect(await profileAt(origin).listTools()).toHaveLength(1)
    expect(routes).not.toContain('GET /elsewhere')
  })

  test('in an error of JSON-RPC it does the same', async () => {
    const { origin } = await startResource(describesItself, ({ rpc, response }) =>
      send(response, 200, { jsonrpc: '2.0', id: rpc.id, error: { code: 401, message: 'no' } }),
    )
    expect(await profileAt(origin).listTools()).toHaveLength(1)
  })

  test('in an error on the SSE stream it does the same', async () => {
    const side = createSseSide()
    const { origin } = await startResource((exchange) => {
      const { route, rpc, response } = exchange
      const error = { code: 401, message: 'no' }
      if (route === 'GET /sse') return side.open(response)
      if (route !== 'POST /messages') return describesItself(exchange)
      send(response, 202)
      if (rpc.id !== undefined) side.say({ jsonrpc: '2.0', id: rpc.id, error })
    })
    const profile = profileAt(origin, { url: `${origin}/sse` })
    await expect(profile.listTools()).rejects.toMatchObject({ data: { kind: 'authentication' } })
    expect(profile.tokens).toBeDefined()
  })

  test('with a key of its own it does not sign in', async () => {
    const { origin } = await startResource(describesItself)
    const profile = profileAt(origin, { headers: { Authorization: 'Bearer mk_wrong' } })
    await expect(profile.listTools()).rejects.toMatchObject({ data: { kind: 'authentication' } })
    expect(profile.requests).toHaveLength(1)
  })
})

describe('it catches', () => {
  const fails = (origin: string, text: RegExp, options: Partial<DifyProfileOptions> = {}) =>
    expect(profileAt(origin, options).listTools()).rejects.toMatchObject({
      data: { kind: 'authentication' },
      message: expect.stringMatching(text),
    })

  test('metadata without grant types', async () => {
    const { origin } = await startResource(describesItself)
    issuer.metadata = { grant_types_supported: undefined }
    await fails(origin, /Client credentials flow requires/)
  })

  test('a 5xx at a place that is not used: it is asked four times, and nothing after it', async () => {
    const { origin, routes } = await startResource(({ route, response }) => {
      if (route.startsWith('GET')) send(response, 503)
    })
    await fails(origin, /maximum retries/)
    expect(routes).toEqual([
      'POST /mcp',
      ...Array(4).fill('GET /.well-known/oauth-protected-resource/mcp'),
    ])
  })

  test('a registration that is refused, and one that says too little', async () => {
    const { origin } = await startResource(describesItself)
    issuer.intercept = ({ path }) => (path === '/register' ? { status: 400 } : undefined)
    await fails(origin, /registration was answered 400/)
    issuer.intercept = ({ path }) =>
      path === '/register' ? { status: 201, body: { client_id: 'c' } } : undefined
    await fails(origin, /no redirect_uris/)
  })

  test('a token answer without its type', async () => {
    const { origin } = await startResource(describesItself)
    issuer.intercept = ({ path }) =>
      path === '/token' ? { body: { access_token: 'a' } } : undefined
    await fails(origin, /no token_type/)
  })

  test.each([
    ['a callback without a code', async () => `${callback}?error=access_denied&state=x`, /no code/],
    ['a state that is not its own', async () => `${callback}?code=c&state=x`, /state/],
  ])('%s', async (_, authorize, text) => {
    const { origin } = await startResource(describesItself)
    await fails(origin, text, { authorize })
  })

  test('a callback that is relative, as docker sets it up', async () => {
    const { origin } = await startResource(describesItself)
    const profile = profileAt(origin, { consoleUrl: '', authorize: async () => 'nowhere' })
    await expect(profile.listTools()).rejects.toThrow('no code')
    const register = profile.requests.find(({ url }) => url.endsWith('/register'))
    expect(register?.body).toContain('"redirect_uris":["/console/api/mcp/oauth/callback"]')
  })
})

describe('when its token has expired', () => {
  test('it discovers again, refreshes, and keeps what it is given', async () => {
    const { origin } = await startResource(describesItself)
    const profile = profileAt(origin)
    await profile.listTools()
    const { refresh_token } = profile.tokens!
    issuer.revokeAll('access')
    await profile.callTool('greet')
    const body = issuer.requests.at(-1)?.body
    const keys = [...new URLSearchParams(body).entries()]
    expect(keys).toEqual([
      ['grant_type', 'refresh_token'],
      ['client_id', expect.stringMatching(/^client-/)],
      ['refresh_token', refresh_token],
    ])
    expect(profile.tokens?.refresh_token).not.toBe(refresh_token)
    expect(issuer.requests.filter(({ path }) => path === '/register')).toHaveLength(1)
  })

  test('calls at the same time refresh with the same token: strict rotation fails some', async () => {
    const { origin } = await startResource(describesItself)
    const profile = profileAt(origin)
    await profile.listTools()
    issuer.revokeAll('access')
    const calls = Array.from({ length: 6 }, () => profile.callTool('greet'))
    const outcomes = await Promise.allSettled(calls)
    expect(issuer.grants('refresh_token')).toBe(6)
    const sent = issuer.requests.flatMap(({ body }) =>
      new URLSearchParams(body).getAll('refresh_token'),
    )
    expect(new Set(sent).size).toBe(1)
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
  })

  test('an answer without a refresh token takes it away; then only a person helps', async () => {
    const { origin } = await startResource(describesItself)
    const profile = profileAt(origin)
    await profile.listTools()
    issuer.intercept = ({ path }) =>
      path === '/token' ? { body: { access_token: 'of-no-use', token_type: 'bearer' } } : undefined
    issuer.revokeAll('access')
    await expect(profile.callTool('greet')).rejects.toMatchObject({ code: 'unauthenticated' })
    issuer.intercept = undefined
    expect(profile.tokens?.refresh_token).toBeUndefined()
    await expect(profile.callTool('greet')).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(await profile.reauthorize()).toHaveLength(1)
  })
})
