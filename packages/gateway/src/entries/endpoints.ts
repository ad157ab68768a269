import type { Endpoint } from './contract.ts'

const fixed: Readonly<Record<string, Endpoint>> = {
  '/mcp': { kind: 'streamable', path: '/mcp' },
  '/mcp/v1/sse': { kind: 'sse', path: '/mcp/v1/sse' },
  '/api/v1/mcp/jsonrpc': { kind: 'seed', path: '/api/v1/mcp/jsonrpc' },
  // Whoever may open the stream may post to it.
  '/mcp/v1/messages': { kind: 'messages', path: '/mcp/v1/sse' },
  '/api/v1/mcp/messages': { kind: 'messages', path: '/api/v1/mcp/jsonrpc' },
}

/** Where to post to the stream of an endpoint. */
export function messagesPathOf({ kind }: Endpoint): string {
  return kind === 'seed' ? '/api/v1/mcp/messages' : '/mcp/v1/messages'
}

const groupPath = /^\/mcp\/g\/([a-z0-9][a-z0-9_-]{0,62})$/

/** The endpoint at a path; a slash at its end changes nothing. */
export function findEndpoint(path: string): Endpoint | undefined {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  if (Object.hasOwn(fixed, plain)) return fixed[plain]
  const group_id = groupPath.exec(plain)?.[1]
  return group_id === undefined ? undefined : { kind: 'streamable', path: plain, group_id }
}
