import type { ResponseHeaders } from '@dataagent/guard'
import { type McpError, protocolError } from '../../errors.ts'
import type { RequestId } from '../../rpc/messages.ts'
import type { Protocol } from '../transport.ts'
import type { Headers } from './headers.ts'
import { toSessionLost } from './http-error.ts'
import { createLane, type Lane, type LaneOptions } from './lane.ts'
import { findFault, isAnswerTo, type Refusal } from './refusal.ts'

/** What a connection has in common with the server, and the lane whose headers tell of it. */
export interface PostSession {
  readonly id: string | undefined
  readonly protocol: Protocol | undefined
  /** For messages. */
  readonly post: Lane
}

/** The same over Streamable HTTP. */
export interface HttpSession extends PostSession {
  /** For streams of the server, and for the end of the session. */
  readonly get: Lane
  /** Takes the session's id from the answer to `initialize`. Throws for one that cannot be. */
  adopt(headers: ResponseHeaders): void
  /** The modern era knows no session: one that was given on the way there is forgotten. */
  agree(protocol: Protocol): void
}

/** The protocol's headers of a message. */
export const ownOfPost = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
}
/** Those of a stream. */
export const ownOfGet = { accept: 'text/event-stream' }

/**
 * Begins with neither session nor protocol. Throws an McpError for what no request can be made of.
 */
export function createHttpSession(options: LaneOptions): HttpSession {
  let id: string | undefined
  let protocol: Protocol | undefined
  let post = createLane(options, ownOfPost)
  let get = createLane(options, ownOfGet)

  return {
    get id() {
      return id
    },
    get protocol() {
      return protocol
    },
    get post() {
      return post
    },
    get get() {
      return get
    },
    adopt(headers) {
      id = toSessionId(headers['mcp-session-id'])
      if (id !== undefined) renew()
    },
    agree(agreed) {
      protocol = agreed
      if (agreed.era === 'modern') id = undefined
      renew()
    },
  }

  function renew(): void {
    const common: Headers = {
      ...(id !== undefined && { 'mcp-session-id': id }),
      ...(protocol !== undefined && { 'mcp-protocol-version': protocol.version }),
    }
    post = createLane(options, { ...ownOfPost, ...common })
    get = createLane(options, { ...ownOfGet, ...common })
  }
}

/** Visible ASCII alone (2025-11-25, basic/transports, "Session Management"). */
function toSessionId(header: string | string[] | undefined): string | undefined {
  if (header === undefined || header === '') return undefined
  if (typeof header === 'string' && /^[\x21-\x7e]{1,4096}$/.test(header)) return header
  throw protocolError('the server gave a session id that cannot be one')
}

/**
 * The error of a request that was refused because the server has forgotten its session: 404 by the
 * specification, but many servers say it with 400 and words. Not so a method that is not known, nor
 * an error that answers the request `id` itself: a tool may have acted and then answered so. Even
 * where that error speaks of a session as servers do, the request is not taken for unsent.
 */
export function findSessionLoss(
  refusal: Refusal,
  session: PostSession,
  id?: RequestId,
): McpError | undefined {
  if (session.id === undefined) return undefined
  const fault = findFault(refusal)
  if (id !== undefined && isAnswerTo(refusal, id)) {
    const isSession = refusal.status === 404 && fault?.code === sessionNotFound
    return isSession ? toSessionLost(refusal, true) : undefined
  }
  const isLost =
    refusal.status === 404
      ? fault?.code !== -32_601
      : refusal.status === 400 && fault?.code === -32_000 && /session/i.test(fault.message)
  return isLost ? toSessionLost(refusal, false) : undefined
}

/** What the official servers answer. */
const sessionNotFound = -32_001
