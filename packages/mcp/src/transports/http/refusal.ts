import type { AnswerHead } from '@dataagent/guard'
import type { RpcFault } from '../../errors.ts'
import type { RequestId } from '../../rpc/messages.ts'
import { readMessages } from '../../rpc/read-messages.ts'

/** What a server answered instead of 2xx, as much of it as was read. */
export interface Refusal {
  status: number
  /** At most `refusalBytesMax` of it. */
  body: Buffer
  /** The header WWW-Authenticate. */
  challenge: string | undefined
  /** Where the server redirects to. */
  location: URL | undefined
}

/** Of the body of an answer that is not 2xx no more than this is read. */
export const refusalBytesMax = 128 * 1024

const redirects = new Set([301, 302, 303, 307, 308])

/** Makes a refusal of an answer from `url`. */
export function toRefusal({ status, headers }: AnswerHead, body: Buffer, url: URL): Refusal {
  const challenge = headers['www-authenticate']
  const location = redirects.has(status) ? String(headers.location ?? '') : ''
  return {
    status,
    body,
    challenge: Array.isArray(challenge) ? challenge.join(', ') : challenge,
    location: location === '' ? undefined : (URL.parse(location, url.href) ?? undefined),
  }
}

/** Whether the same request may be sent to where the server points: there alone, unchanged. */
export function isFollowed({ status, location }: Refusal, from: URL): boolean {
  if (status !== 307 && status !== 308) return false
  return location?.origin === from.origin && location.username + location.password === ''
}

/** Whether another credential could help: none was accepted, or one that allows too little. */
export function isChallenge({ status, challenge = '' }: Refusal): boolean {
  return (
    status === 401 || (status === 403 && /\berror\s*=\s*"?insufficient_scope\b/i.test(challenge))
  )
}

/**
 * The JSON-RPC error in the body; where `id` is given, only one that answers that request or none
 * in particular.
 */
export function findFault(refusal: Refusal, id?: RequestId): RpcFault | undefined {
  const found = readFault(refusal)
  if (found === undefined || id === undefined) return found?.error
  return found.id === null || found.id === id ? found.error : undefined
}

/** Whether the body is a JSON-RPC error that answers the request `id`, and no other. */
export function isAnswerTo(refusal: Refusal, id: RequestId): boolean {
  return readFault(refusal)?.id === id
}

function readFault({ body }: Refusal) {
  // Only text that may be an object is worth the attempt.
  if (body.subarray(0, 64).toString().trimStart()[0] !== '{') return undefined
  try {
    const [sorted] = readMessages(body.toString())
    if (sorted?.kind !== 'response' || !('error' in sorted.message)) return undefined
    return sorted.message
  } catch {
    return undefined
  }
}
