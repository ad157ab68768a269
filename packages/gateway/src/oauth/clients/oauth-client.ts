import type { ClientRow } from '../../ports.ts'

/** A program that asks for access, however it became known. */
export interface OAuthClient {
  client_id: string
  /** As it calls itself: anyone may call themselves anything. */
  client_name: string
  redirect_uris: readonly string[]
  token_endpoint_auth_method: ClientRow['token_endpoint_auth_method']
  secret_hash: string | null
  /** `document`: described at the address that is its id, whose host vouches for it. */
  kind: ClientRow['kind'] | 'document'
}

export const unnamed = 'MCP client'

/** A client that is described at the address that is its id: it has no secret. */
export function toDocumentClient(
  said: Pick<OAuthClient, 'client_id' | 'client_name' | 'redirect_uris'>,
): OAuthClient {
  return { ...said, token_endpoint_auth_method: 'none', secret_hash: null, kind: 'document' }
}

const longestName = 60

/** A name that fits on one line and shows every character it has; undefined where none is left. */
export function cleanName(name: string | undefined): string | undefined {
  const visible = (name ?? '').replace(/\s/gu, ' ').replace(/\p{C}/gu, '')
  return [...visible.replace(/ +/g, ' ').trim()].slice(0, longestName).join('') || undefined
}
