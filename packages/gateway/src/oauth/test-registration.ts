import type { PlainResponse } from '../http/index.ts'
import type { OAuthServer } from './index.ts'
import { callback } from './test-browser.ts'
import { aRequest } from './test-oauth-world.ts'

/** What Dify 1.16.1 sends, letter for letter but for its address. */
export const difyBody = `{"client_name":"Dify","redirect_uris":["${callback}"],"grant_types":["refresh_token","authorization_code"],"response_types":["code"],"token_endpoint_auth_method":"none","client_uri":"https://github.com/langgenius/dify","scope":null}`

export async function register(
  server: OAuthServer,
  body: string | object = difyBody,
  ip = '192.0.2.1',
): Promise<PlainResponse> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', path: '/mcp/oauth/register', body: text, headers, ip }
  return (await server.handle(aRequest(request)))!
}

export async function registered(server: OAuthServer, fields: object = {}): Promise<string> {
  const answer = await register(server, { ...JSON.parse(difyBody), ...fields })
  return JSON.parse(answer.body).client_id
}
