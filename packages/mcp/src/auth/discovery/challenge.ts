import { toScopeTokens } from './scopes.ts'

/** What a Bearer challenge (RFC 6750, section 3, and RFC 9728, section 5.1) asks for. */
export interface BearerChallenge {
  error?: string
  scope?: string
  resourceMetadataUrl?: string
}

/** A name, and what it equals unless it is the name of a scheme. */
const piece =
  /[\s,]*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"=]+)))?=*(?=[\s,]|$)/gy

/** Reads the first Bearer challenge of a WWW-Authenticate header, which may hold several. */
export function parseBearerChallenge(header: string | undefined): BearerChallenge {
  const params = findBearer(header ?? '')
  const error = params.get('error')
  const scope = toScopeTokens(params.get('scope')).join(' ')
  const resourceMetadataUrl = params.get('resource_metadata')
  return {
    ...(error !== undefined && { error }),
    ...(scope !== '' && { scope }),
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
  }
}

/** The parameters of the first Bearer challenge, names in lower case; of doubles the first. */
function findBearer(header: string): Map<string, string> {
  const params = new Map<string, string>()
  let isBearer = false
  for (const [, name = '', quoted, plain] of header.matchAll(piece)) {
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain
    if (value !== undefined) {
      if (isBearer && !params.has(name.toLowerCase())) params.set(name.toLowerCase(), value)
    } else {
      if (isBearer && params.size > 0) break
      isBearer = name.toLowerCase() === 'bearer'
    }
  }
  return params
}
