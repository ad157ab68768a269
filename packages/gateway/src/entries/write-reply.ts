import type { OutgoingHttpHeaders } from 'node:http'
import { type Reply, type RpcRequest, toLimited } from '../protocol/index.ts'
import type { Visit } from './contract.ts'
import { sendText, toChallenge } from './send.ts'

/** The whole answer as text. */
export function toAnswerText(id: RpcRequest['id'] | null, reply: Reply): string {
  const start = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`
  if (reply.kind === 'text') return `${start}"result":${reply.text}}`
  if (reply.kind === 'result') return `${start}"result":${JSON.stringify(reply.result)}}`
  return `${start}"error":${JSON.stringify(reply.error)}}`
}

/** When to come back, or with what, for those who look at headers. */
export function toReplyHeaders(
  reply: Reply,
  visit: Pick<Visit, 'endpoint'>,
  publicUrl: string,
): OutgoingHttpHeaders {
  if (reply.kind !== 'error') return {}
  if (reply.status === 401) return toChallenge(visit, publicUrl, 'invalid_token')
  if (reply.status === 403) return toChallenge(visit, publicUrl, 'insufficient_scope')
  if (reply.retryAfterMs === undefined) return {}
  return { 'retry-after': String(Math.max(1, Math.ceil(reply.retryAfterMs / 1000))) }
}

/** For what is no request, and so has no answer of its own. */
export function sendLimited(visit: Visit, retryAfterMs: number, publicUrl: string): void {
  const reply = toLimited(retryAfterMs)
  const headers = toReplyHeaders(reply, visit, publicUrl)
  sendText(visit.response, 429, { text: toAnswerText(null, reply), headers })
}
