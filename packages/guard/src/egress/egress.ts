import { Readable } from 'node:stream'
import { AppError, readJson } from '@dataagent/schema/base'
import { systemClock } from '../clock.ts'
import { type CallScope, openCallScope } from './call-scope.ts'
import type {
  Egress,
  EgressLimits,
  EgressOptions,
  EgressRequest,
  EgressResponse,
  EgressRoute,
  RouteOptions,
} from './contract.ts'
import { checkUrl, parseUrl } from './destination-check.ts'
import { invalidRequest, upstreamFailed } from './egress-error.ts'
import { type Exchange, exchange } from './exchange.ts'
import { toFetch } from './fetch.ts'
import { createLookup } from './lookup.ts'
import { toDestination, toHost } from './policy.ts'
import { createPools } from './pools.ts'
import { findLocation, type Hop, toNextHop } from './redirect.ts'
import { toRequestHeaders } from './request-headers.ts'
import { discard, readAll } from './response-body.ts'
import { toRoute } from './route.ts'
import { toUpload } from './upload.ts'

const defaultLimits: EgressLimits = {
  timeoutMs: 30_000,
  headersTimeoutMs: 30_000,
  idleTimeoutMs: 30_000,
  maxResponseBytes: 10 * 1024 * 1024,
  maxRedirects: 3,
}

/** Makes an egress. Close it, or hold it with `await using`. */
export function createEgress(options: EgressOptions): Egress {
  const clock = options.clock ?? systemClock
  const allowSetting = options.allowSetting ?? 'allowedAddresses'
  const userAgent = options.userAgent ?? 'dataagent'
  const standing = withLimits(defaultLimits, options)
  const pools = createPools({
    lookup: options.lookup ?? createLookup(),
    allowSetting,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    maxHeaderBytes: options.maxHeaderBytes ?? 16_384,
    ca: options.ca,
  })
  let closed = false
  // A policy that cannot be read stops the start, not the first call.
  pools.get(options.policy, options.proxy)

  return {
    request,
    createFetch: (defaults) => toFetch(request, defaults),
    createRoute,
    close,
    [Symbol.asyncDispose]: close,
  }

  async function request(address: string | URL, call: EgressRequest = {}): Promise<EgressResponse> {
    const body = toUpload(call.body)
    try {
      if (closed) throw stopped()
      return await start({ ...toFirstHop(address, call), body }, call)
    } catch (error) {
      if (body instanceof Readable) body.destroy()
      throw error
    }
  }

  async function start(first: Hop, call: EgressRequest): Promise<EgressResponse> {
    const limits = withLimits(standing, call)
    const { signal } = call
    const scope = openCallScope({ clock, host: hostOf(first), timeoutMs: limits.timeoutMs, signal })
    try {
      return await follow(first, { call, limits, scope })
    } catch (error) {
      scope.end()
      throw error
    }
  }

  function toFirstHop(address: string | URL, call: EgressRequest): Omit<Hop, 'body'> {
    return {
      url: parseUrl(address),
      method: toMethod(call.method ?? 'GET'),
      headers: toRequestHeaders(call.headers, userAgent),
    }
  }

  async function follow(first: Hop, way: Way): Promise<EgressResponse> {
    const { redirect = 'follow' } = way.call
    let hop = first
    for (let redirects = 0; ; redirects += 1) {
      const answer = await send(hop, way)
      const location = redirect === 'manual' ? undefined : findLocation(answer)
      if (location === undefined) return toResponse(hop, answer, way.scope, redirects > 0)
      await discard(answer.body)
      checkFollows(hop, redirect, redirects, way.limits)
      hop = toNextHop(hop, answer.status, location)
    }
  }

  function send(hop: Hop, { call, limits, scope }: Way): Promise<Exchange> {
    const pool = pools.get(call.policy ?? options.policy, call.proxy ?? options.proxy)
    checkUrl(hop.url, pool, allowSetting)
    const { url, method, headers, body } = hop
    const path = url.pathname + url.search
    const { dispatcher } = pool
    const host = hostOf(hop)
    return exchange({
      ...limits,
      dispatcher,
      scope,
      host,
      origin: url.origin,
      path,
      method,
      headers,
      body,
    })
  }

  function createRoute(address: string | URL, given: RouteOptions = {}): EgressRoute {
    const url = parseUrl(address)
    const { policy = options.policy, proxy = options.proxy } = given
    checkUrl(url, pools.get(policy, proxy), allowSetting)
    const headers = toRequestHeaders(given.headers, userAgent)
    return toRoute({
      url,
      headers,
      toDispatcher() {
        if (closed) throw stopped()
        return pools.get(policy, proxy).dispatcher
      },
    })
  }

  async function close(): Promise<void> {
    closed = true
    await pools.close(stopped())
  }
}

/** What holds for all hops of one call. */
interface Way {
  call: EgressRequest
  limits: EgressLimits
  scope: CallScope
}

function checkFollows(hop: Hop, redirect: string, redirects: number, limits: EgressLimits): void {
  const host = hostOf(hop)
  if (redirect === 'error')
    throw upstreamFailed(host, 'answered with a redirect, which this call does not follow')
  if (redirects >= limits.maxRedirects) {
    throw upstreamFailed(
      host,
      `redirects more often than the ${limits.maxRedirects} times that are followed`,
    )
  }
}

function toResponse(
  hop: Hop,
  answer: Exchange,
  scope: CallScope,
  redirected: boolean,
): EgressResponse {
  const { status, statusText, headers, body } = answer
  body.once('close', scope.end)
  const text = async () => (await readAll(body)).toString()
  return {
    status,
    statusText,
    headers,
    url: hop.url.href,
    redirected,
    body,
    bytes: () => readAll(body),
    text,
    json: async () => parseJson(hostOf(hop), await text()),
  }
}

/** The parser's own message would repeat a piece of the body. */
function parseJson(host: string, text: string): unknown {
  try {
    return readJson(text)
  } catch {
    throw upstreamFailed(host, 'sent an answer that is not JSON')
  }
}

function toMethod(method: string): string {
  const name = method.toUpperCase()
  if (!/^[A-Z]+$/.test(name)) throw invalidRequest('The request method is not a valid name.')
  if (name === 'CONNECT' || name === 'TRACE')
    throw invalidRequest(`The method ${name} cannot be used.`)
  return name
}

function hostOf({ url }: Hop): string {
  return toHost(toDestination(url))
}

function stopped(): AppError {
  return new AppError('cancelled', 'No request can be made any more: the program is stopping.')
}

function withLimits(base: EgressLimits, given: Partial<EgressLimits>): EgressLimits {
  return {
    timeoutMs: given.timeoutMs ?? base.timeoutMs,
    headersTimeoutMs: given.headersTimeoutMs ?? base.headersTimeoutMs,
    idleTimeoutMs: given.idleTimeoutMs ?? base.idleTimeoutMs,
    maxResponseBytes: given.maxResponseBytes ?? base.maxResponseBytes,
    maxRedirects: given.maxRedirects ?? base.maxRedirects,
  }
}
