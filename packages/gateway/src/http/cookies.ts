import type { PlainRequest } from './contract.ts'

/** The cookie `name`, as the browser sent it first. */
export function readCookie(headers: PlainRequest['headers'], name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

export interface NewCookie {
  name: string
  /** Of the characters that a cookie may hold. */
  value: string
  maxAgeSeconds: number
  secure: boolean
}

/**
 * A `Set-Cookie` for this host alone, out of the reach of scripts, which comes along when another
 * site leads here.
 */
export function toSetCookie({ name, value, maxAgeSeconds, secure }: NewCookie): string {
  const parts = [`${name}=${value}`, 'Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly']
  return [...parts, 'SameSite=Lax', ...(secure ? ['Secure'] : [])].join('; ')
}
