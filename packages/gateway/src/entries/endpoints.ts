import { endpointPaths, groupOfPath } from '../paths.ts'
import type { Endpoint } from './contract.ts'

const { streamable, sse, seed } = endpointPaths
const messages = { sse: '/mcp/v1/messages', seed: '/api/v1/mcp/messages' } as const

const fixed: Readonly<Record<string, Endpoint>> = {
  [streamable]: { kind: 'streamable', path: streamable },
  [sse]: { kind: 'sse', path: sse },
  [seed]: { kind: 'seed', path: seed },
  // Whoever may open the stream may post to it.
  [messages.sse]: { kind: 'messages', path: sse },
  [messages.seed]: { kind: 'messages', path: seed },
}

/** Where to post to the stream of an endpoint. */
export function messagesPathOf({ kind }: Endpoint): string {
  return kind === 'seed' ? messages.seed : messages.sse
}

/** The endpoint at a path; a slash at its end changes nothing. */
export function findEndpoint(path: string): Endpoint | undefined {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  if (Object.hasOwn(fixed, plain)) return fixed[plain]
  const group_id = groupOfPath(plain)
  return group_id === undefined ? undefined : { kind: 'streamable', path: plain, group_id }
}
