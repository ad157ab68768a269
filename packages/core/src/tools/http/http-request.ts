import type { EgressResponse } from '@dataagent/guard'
import { defineTool, type OwnTool } from '@dataagent/hub'
import { z } from 'zod'
import { decodeBody, kindOf, mediaTypeOf, toWindow } from './body-text.ts'
import { checkHeaders } from './request-headers.ts'
import { send, type WebOptions, webAddress } from './web.ts'

const shownChars = 50_000
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

const input = z.object({
  url: webAddress,
  method: z.enum(methods).default('GET'),
  headers: z.record(z.string().max(200), z.string().max(8_000)).default({}),
  body: z.string().max(1_000_000).optional(),
})
type Asked = z.output<typeof input>

/** Any request to an HTTP API. What may change something at the other end is asked for. */
export function createHttpRequest(options: WebOptions): OwnTool {
  return defineTool({
    name: 'http_request',
    title: 'HTTP request',
    description:
      'Sends an HTTP request and gives status, headers and body. For web pages use fetch_url. ' +
      'Methods other than GET and HEAD, and requests with a body, need the consent of a person.',
    category: 'web',
    approval: (args) => (isSafe(args) ? 'allow' : 'ask'),
    untrusted: true,
    annotations: { readOnlyHint: false, openWorldHint: true },
    input,
    async run(args, { principal, signal }) {
      const { url, method, body } = args
      // What a person agreed to send to one address is not sent on to another.
      const redirect = isSafe(args) ? 'follow' : 'manual'
      const headers = headersOf(args)
      const request = { method, headers, body, redirect, signal, principal } as const
      return await toAnswer(await send(options, url, request))
    },
  })
}

/** Some servers take the method from a header: by that, and by a body, a GET can change things. */
function isSafe({ method, headers, body = '' }: Asked): boolean {
  const isPlain = body === '' && !Object.keys(headers).some((name) => otherMethod.test(name.trim()))
  return isPlain && (method === 'GET' || method === 'HEAD')
}

const otherMethod = /^x-(?:http-)?method/i

function headersOf({ headers, body }: Asked): Record<string, string> {
  const checked = checkHeaders(headers)
  const isNamed = Object.keys(checked).some((name) => name.toLowerCase() === 'content-type')
  if (body === undefined || isNamed) return checked
  const isJson = /^\s*[[{]/.test(body)
  return { ...checked, 'content-type': isJson ? 'application/json' : 'text/plain; charset=utf-8' }
}

async function toAnswer(response: EgressResponse): Promise<string> {
  const bytes = await response.bytes()
  const { status, statusText, url, redirected } = response
  const head = [
    `HTTP ${status} ${statusText}`.trimEnd(),
    ...(redirected ? [`url: ${url}`] : []),
    ...shownHeaders(response),
  ]
  return `${head.join('\n')}\n\n${toBody(response, bytes)}`.trimEnd()
}

const shown = /^(content-type|location|retry-after|etag|last-modified|link|x-ratelimit-.*|allow)$/

function shownHeaders({ headers }: EgressResponse): string[] {
  return Object.entries(headers)
    .filter(([name, value]) => shown.test(name) && value !== undefined)
    .map(([name, value]) => `${name}: ${[value].flat().join(', ').slice(0, 1_000)}`)
}

function toBody(response: EgressResponse, bytes: Uint8Array): string {
  const mediaType = mediaTypeOf(response)
  const kind = kindOf(mediaType, bytes)
  if (kind === 'html' || kind === 'text') {
    return toWindow(decodeBody(response, bytes), 0, shownChars).replace(
      /; go on with offset \d+/,
      '',
    )
  }
  return `[${bytes.length} bytes of ${mediaType || 'unknown type'}, not shown]`
}
