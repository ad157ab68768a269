/** Where the ways in are that all groups share. */
export const endpointPaths = {
  streamable: '/mcp',
  sse: '/mcp/v1/sse',
  /** The JSON-RPC profile. */
  seed: '/api/v1/mcp/jsonrpc',
} as const

const groupStart = `${endpointPaths.streamable}/g/`
const groupId = /^[a-z0-9][a-z0-9_-]{0,62}$/

export function isGroupId(text: string): boolean {
  return groupId.test(text)
}

/** The way in of one group. */
export function groupPathOf(group_id: string): string {
  return groupStart + group_id
}

/** The group whose own way in a path is. */
export function groupOfPath(path: string): string | undefined {
  const group_id = path.slice(groupStart.length)
  return path.startsWith(groupStart) && isGroupId(group_id) ? group_id : undefined
}
