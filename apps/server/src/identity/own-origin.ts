import { AppError } from '@dataagent/schema'
import type { FastifyRequest } from 'fastify'

type Asked = Pick<FastifyRequest, 'headers' | 'host'>

/** Whether the Origin of a request is that of our own pages. */
export function isOwnOrigin({ headers, host }: Asked, publicUrl: URL | undefined): boolean {
  const { origin = '' } = headers
  if (origin === publicUrl?.origin) return true
  if (!URL.canParse(origin)) return false
  // Behind a proxy that ends TLS the scheme differs; host and port do not.
  const url = new URL(origin)
  return origin === url.origin && url.host === host
}

/**
 * Throws `forbidden` unless a page of ours sent this: a browser adds its cookie to the requests of
 * any page. A socket needs the Origin itself, which browsers always send with one.
 */
export function assertOwnPage(request: Asked, publicUrl: URL | undefined, isSocket: boolean): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isOwn =
    origin === undefined ? site === 'same-origin' && !isSocket : isOwnOrigin(request, publicUrl)
  if (!isOwn) throw foreignPage()
}

/** Throws `forbidden` where a page of others sent this; a program is no page. */
export function refuseForeignPage(request: Asked, publicUrl: URL | undefined): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (origin !== undefined || site !== undefined) assertOwnPage(request, publicUrl, false)
}

function foreignPage(): AppError {
  return new AppError(
    'forbidden',
    'A browser signs in, and does this, from our own pages only. Programs send X-API-Key.',
  )
}
