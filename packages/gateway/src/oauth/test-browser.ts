import { createHash } from 'node:crypto'
import type { PlainRequest, PlainResponse } from '../http/index.ts'
import type { OAuthServer } from './index.ts'
import { aRequest } from './test-oauth-world.ts'

export const verifier = 'v'.repeat(43)
export const challenge = createHash('sha256').update(verifier).digest('base64url')
export const callback = 'https://dify.example/console/api/mcp/oauth/callback'

/** A browser as far as cookies and forms go. */
export interface TestBrowser {
  cookies: Map<string, string>
  open(path: string, more?: Partial<PlainRequest>): Promise<PlainResponse>
  /** Sends the form of a page as it is, with `fields` filled in; follows it on this server. */
  submit(
    page: PlainResponse,
    fields: Record<string, string>,
    more?: Partial<PlainRequest>,
  ): Promise<PlainResponse>
}

export interface BrowserOptions {
  ip?: string
  language?: string
  cookies?: Record<string, string>
}

export function createBrowser(server: OAuthServer, options: BrowserOptions = {}): TestBrowser {
  const { ip = '198.51.100.7', language = 'en' } = options
  const cookies = new Map(Object.entries(options.cookies ?? {}))

  async function send(path: string, request: Partial<PlainRequest>): Promise<PlainResponse> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { 'accept-language': language, cookie, ...request.headers }
    const response = (await server.handle(aRequest({ ip, ...request, path, headers })))!
    for (const line of [response.headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      cookies.set(name!, value!)
    }
    return response
  }

  async function follow(response: PlainResponse): Promise<PlainResponse> {
    const { location } = response.headers
    const isOwn = typeof location === 'string' && location.startsWith('/')
    return isOwn ? send(location, {}) : response
  }

  return {
    cookies,
    open: (path, more = {}) => send(path, more),
    async submit(page, fields, more = {}) {
      const body = new URLSearchParams({ ...hiddenIn(page), ...fields }).toString()
      const type = 'application/x-www-form-urlencoded'
      const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin', ...more.headers }
      const [, action] = /<form method="post" action="([^"]+)"/.exec(page.body)!
      return follow(await send(action!, { method: 'POST', body, ...more, headers }))
    },
  }
}

/** The hidden fields of a page's forms, which are the same in all of them. */
export function hiddenIn({ body }: PlainResponse): Record<string, string> {
  const found = body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)
  return Object.fromEntries([...found].map(([, name, value]) => [name!, value!]))
}

/** What came back to the program, from the address its browser was sent to. */
export function answerIn(response: PlainResponse): Record<string, string> {
  const { location } = response.headers
  if (typeof location !== 'string') throw new Error(`no redirect but ${response.status}`)
  return Object.fromEntries(new URL(location).searchParams)
}

export function authorizePath(parameters: Record<string, string | undefined>): string {
  const whole: Record<string, string | undefined> = {
    response_type: 'code',
    redirect_uri: callback,
    state: 'state-1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...parameters,
  }
  const told = Object.entries(whole).filter(([, value]) => value !== undefined)
  return `/mcp/oauth/authorize?${new URLSearchParams(told as [string, string][])}`
}
