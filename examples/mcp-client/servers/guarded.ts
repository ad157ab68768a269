import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json, text } from 'node:stream/consumers'
import { answer } from './answer.ts'

const tools = { secret: () => 'The treasure is under the oak.' }

/**
 * A server that wants a person to sign in, and the authorization server beside it: it takes any
 * client, and has the person say yes at once.
 */
export async function startGuarded() {
  const server = createServer((request, response) => {
    void handle(request).then((reply) => send(response, reply))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const challenges = new Map<string, string>()
  const tokens = new Set<string>()
  return {
    url: `${origin}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function handle(request: IncomingMessage): Promise<Reply> {
    const { pathname, searchParams } = new URL(`${request.url}`, origin)
    switch (pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return { body: { resource: `${origin}/mcp`, authorization_servers: [origin] } }
      case '/.well-known/oauth-authorization-server':
        return { body: describeIssuer(origin) }
      case '/register':
        return { status: 201, body: { ...Object(await json(request)), client_id: randomUUID() } }
      case '/authorize':
        return authorize(searchParams)
      case '/token':
        return giveToken(new URLSearchParams(await text(request)))
      default:
        return request.method === 'POST' ? serve(request) : { status: 405 }
    }
  }

  function authorize(asked: URLSearchParams): Reply {
    const code = randomUUID()
    challenges.set(code, `${asked.get('code_challenge')}`)
    const location = new URL(`${asked.get('redirect_uri')}`)
    const brought = { code, state: `${asked.get('state')}`, iss: origin }
    location.search = `${new URLSearchParams(brought)}`
    return { status: 302, headers: { location: location.href } }
  }

  /** A code is good once, and only for who has the verifier that its challenge was made from. */
  function giveToken(asked: URLSearchParams): Reply {
    const code = `${asked.get('code')}`
    const hash = createHash('sha256')
      .update(`${asked.get('code_verifier')}`)
      .digest('base64url')
    const isRight = challenges.get(code) === hash
    challenges.delete(code)
    if (!isRight) return { status: 400, body: { error: 'invalid_grant' } }
    const access_token = randomUUID()
    tokens.add(access_token)
    return { body: { access_token, token_type: 'Bearer', expires_in: 3600 } }
  }

  async function serve(request: IncomingMessage): Promise<Reply> {
    const [, token = ''] = /^Bearer (.+)$/.exec(`${request.headers.authorization}`) ?? []
    if (!tokens.has(token)) return { status: 401, headers: { 'www-authenticate': 'Bearer' } }
    const response = answer(tools, Object(await json(request)))
    return response ? { body: response } : { status: 202 }
  }
}

interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: object
}

function send(response: ServerResponse, { status = 200, headers = {}, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body && JSON.stringify(body))
}

function describeIssuer(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}
