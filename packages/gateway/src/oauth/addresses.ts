import { endpointPaths, groupOfPath, groupPathOf } from '../paths.ts'
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

const sharedEndpoints: readonly string[] = Object.values(endpointPaths)

/** How this server is called from outside. */
export interface Addresses {
  issuer(): string
  /** Where a browser is sent: the page of consent. */
  authorizationEndpoint(): string
  /** Its path alone: begins with one slash and ends with none. */
  authorizationPath(): string
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
  const { auth_base_url } = settings
  const urlOf = (path: string): string => publicUrl() + path
  const authorizationEndpoint = (): string =>
    auth_base_url === undefined ? urlOf(paths.authorize) : toPageUrl(auth_base_url)
  const resourceAt = (path: string): string | undefined =>
    isEndpoint(path) ? urlOf(path) : undefined

  return {
    issuer: publicUrl,
    authorizationEndpoint,
    authorizationPath: () => new URL(authorizationEndpoint()).pathname,
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
    groupOf: (resource) => groupOfPath(resource.slice(publicUrl().length)),
    groupResource: (group_id) => urlOf(groupPathOf(group_id)),
  }
}

/**
 * A host alone means our path on it. Forms and links of the page are made of its path: were there
 * two slashes at its beginning, a browser would take what follows for a host.
 */
function toPageUrl(auth_base_url: string): string {
  const { origin, pathname } = new URL(auth_base_url)
  const path = pathname.replace(/^\/+|\/+$/g, '')
  return origin + (path === '' ? paths.authorize : `/${path}`)
}

function isEndpoint(path: string): boolean {
  return path === '' || sharedEndpoints.includes(path) || groupOfPath(path) !== undefined
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
  const group = groupOfPath(path)
  if (group !== undefined && group !== token.group_id) return false
  const own = publicUrl + groupPathOf(token.group_id)
  return [null, publicUrl, own, publicUrl + path].includes(token.resource)
}
