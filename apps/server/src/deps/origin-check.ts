import { AppError } from '@dataagent/schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Config, isLoopback } from '../config/index.ts'
import { isOwnOrigin } from '../identity/index.ts'

/**
 * Refuses what a foreign web page sends through the user's browser: a Host that is not ours while
 * we listen on loopback (DNS rebinding), and an Origin that is neither our own nor allowed.
 */
export function addOriginCheck(app: FastifyInstance, config: Config): void {
  const check = createOriginCheck(config)
  app.addHook('onRequest', async (request) => check(request))
}

/** What of a request is looked at. */
export type OriginAsked = Pick<FastifyRequest, 'url' | 'host' | 'headers'> & {
  raw: Pick<FastifyRequest['raw'], 'rawHeaders'>
}

/** The same for what never reaches a hook. Throws `forbidden` or `invalid_request`. */
export function createOriginCheck(config: Config): (request: OriginAsked) => void {
  const isPrivate = isLoopback(config.host)
  const publicUrl = config.public_url ? new URL(config.public_url) : undefined
  const ownHosts = [config.public_url, config.mcp_auth_base_url].flatMap((url) =>
    url ? [new URL(url).host] : [],
  )

  return (request) => {
    if (!request.url.startsWith('/') && request.url !== '*')
      throw new AppError('invalid_request', 'Send the path of the request, not a whole URL.')
    if (countHosts(request) > 1)
      throw new AppError('invalid_request', 'Send one Host header, not several.')
    if (isPrivate && !isOurHost(request.host, ownHosts)) throw badHost()
    // Several Origin headers arrive joined by commas, which is no origin.
    if (request.headers.origin !== undefined && !isAllowedOrigin(request, config, publicUrl))
      throw new AppError(
        'forbidden',
        'Pages of this origin may not call; see DATAAGENT_CORS_ORIGINS.',
      )
  }
}

/** Node keeps the first and drops the others; a proxy before us may have looked at the last. */
function countHosts({ raw }: OriginAsked): number {
  return raw.rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'host').length
}

function isOurHost(host: string, ownHosts: readonly string[]): boolean {
  return ownHosts.includes(host) || isLoopback(hostnameOf(host))
}

function hostnameOf(host: string): string {
  return host.replace(/:\d+$/, '')
}

function isAllowedOrigin(request: OriginAsked, config: Config, publicUrl: URL | undefined) {
  const { origin = '' } = request.headers
  if (config.cors_origins.includes('*') || config.cors_origins.includes(origin)) return true
  return isOwnOrigin(request, publicUrl)
}

function badHost(): AppError {
  return new AppError(
    'forbidden',
    'This server listens on a loopback address and answers to localhost only. Set DATAAGENT_PUBLIC_URL to the address that browsers use.',
  )
}
