import type { OAuthServerOptions } from './options.ts'

/** The paths of the authorization server itself. */
export const paths = {
  authorize: '/mcp/oauth/authorize',
  submit: '/mcp/oauth/authorize/submit',
  token: '/mcp/oauth/token',
  register: '/mcp/oauth/register',
  revoke: '/mcp/oauth/revoke',
  introspect: '/mcp/oauth/introspect',
} as const

/** The MCP endpoint of the JSON-RPC profile. */
export const jsonRpcPath = '/api/v1/mcp/jsonrpc'

const sharedEndpoints: readonly string[] = ['/mcp', '/mcp/v1/sse', jsonRpcPath]
const groupEndpoint = /^\/mcp\/g\/([a-z0-9][a-z0-9_-]{0,62})$/

/** How this server is called from outside. */
export interface Addresses {
  issuer(): string
  /** Where a browser is sent: the page of consent. */
  authorizationEndpoint(): string
  urlOf(path: string): string
  /** The resource at a path of ours, `''` being all of them; undefined where there is none. */
  resourceAt(path: string): string | undefined
  /** What a `resource` parameter names, in its one spelling; undefined where it is not ours. */
  parseResource(resource: string): string | undefined
  /** The group whose own endpoint a resource is. */
  groupOf(resource: string): string | undefined
  groupResource(group_id: string): string
}

export function createAddresses(
  options: Pick<OAuthServerOptions, 'publicUrl' | 'settings'>,
): Addresses {
  const { publicUrl, settings } = options
  const urlOf = (path: string): string => publicUrl() + path
  const resourceAt = (path: string): string | undefined =>
    isEndpoint(path) ? urlOf(path) : undefined

  return {
    issuer: publicUrl,
    authorizationEndpoint: () => settings.auth_base_url ?? urlOf(paths.authorize),
    urlOf,
    resourceAt,
    parseResource(resource) {
      if (!URL.canParse(resource) || resource.includes('#')) return undefined
      const { href } = new URL(resource)
      const base = new URL(publicUrl()).href.replace(/\/$/, '')
      return href.startsWith(base)
        ? resourceAt(href.slice(base.length).replace(/\/$/, ''))
        : undefined
    },
    groupOf: (resource) => groupEndpoint.exec(resource.slice(publicUrl().length))?.[1],
    groupResource: (group_id) => urlOf(`/mcp/g/${group_id}`),
  }
}

function isEndpoint(path: string): boolean {
  return path === '' || sharedEndpoints.includes(path) || groupEndpoint.test(path)
}

/**
 * Whether a token for `resource` is for the endpoint at `path`: that of its own group, or one that
 * all groups share and that it does not exclude by naming another.
 */
export function coversEndpoint(
  token: { resource: string | null; group_id: string },
  path: string,
  publicUrl: string,
): boolean {
  const group = groupEndpoint.exec(path)?.[1]
  if (group !== undefined && group !== token.group_id) return false
  const own = `${publicUrl}/mcp/g/${token.group_id}`
  return [null, publicUrl, own, publicUrl + path].includes(token.resource)
}
