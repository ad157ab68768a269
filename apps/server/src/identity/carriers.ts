import { AppError } from '@dataagent/schema'
import type { FastifyRequest } from 'fastify'

/** Every way in which keys end in a URL, without regard to case, dashes and underscores. */
const secretNames = new Set(['apikey', 'xapikey', 'token', 'accesstoken', 'key'])

/** Throws `invalid_request` where a key or a token stands in the URL. */
export function refuseSecretsInUrl({ url }: Pick<FastifyRequest, 'url'>): void {
  const at = url.indexOf('?')
  if (at === -1) return
  for (const name of new URLSearchParams(url.slice(at)).keys()) {
    if (secretNames.has(name.toLowerCase().replace(/[-_]/g, ''))) throw secretInUrl()
  }
}

function secretInUrl(): AppError {
  return new AppError(
    'invalid_request',
    'Keys and tokens do not belong into a URL: it ends up in logs and histories. Send yours in the header X-API-Key, and replace it where others may have seen it.',
  )
}

/**
 * The key that the headers carry, in X-API-Key or as a bearer token. Throws `unauthenticated` where
 * they carry two different ones.
 */
export function keyOf({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>) {
  const { authorization = '', 'x-api-key': key } = headers
  const bearer = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  // Node.js keeps the first of several Authorization headers; a proxy may have looked at another.
  const isTwice = authorization !== '' && (raw.headersDistinct.authorization?.length ?? 0) > 1
  const found = [key, bearer].filter((one) => typeof one === 'string' && one !== '') as string[]
  if (isTwice || new Set(found).size > 1) throw disagreement()
  return found[0]
}

export function disagreement(): AppError {
  return new AppError('unauthenticated', 'Your credentials do not agree with each other. Send one.')
}
