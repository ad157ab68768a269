/** The workspace's own path for one that DeepAgents gives; what it may be is for the workspace. */
export function toPath(virtual: string): string {
  if (virtual === '/') return '.'
  return virtual.startsWith('/') ? virtual.slice(1) : virtual
}

export function toVirtual(path: string): string {
  return `/${path}`
}
