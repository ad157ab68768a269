import { authenticateClient } from '../clients/client-authentication.ts'
import { type ClientIdentity, findKnownClient } from '../clients/client-identity.ts'
import type { OAuthSetup } from '../oauth-setup.ts'
import { toSdkMetadata } from '../requests/sdk.ts'
import type { Discovery, TokenRecord } from '../storage/records.ts'

/** Forgets all tokens and sign-ins of a server, then revokes those of its present issuer. */
export async function forgetTokens(
  setup: OAuthSetup,
  identity: ClientIdentity,
  signal: AbortSignal,
): Promise<void> {
  const { credentials, onWarning } = setup
  const server = await credentials.server()
  const tokens = await credentials.reload()
  await credentials.saveSignIns([])
  for (const issuer of server?.issuers ?? []) await credentials.dropTokens(issuer)
  if (!server || !tokens) return
  try {
    await revoke(setup, identity, { tokens, discovery: server.discovery, signal })
  } catch {
    const { host } = new URL(tokens.issuer)
    onWarning(`mcp: ${host} could not be told of the sign-out; its tokens expire by themselves`)
  }
}

/** RFC 7009, section 2.1. The refresh token first: where it goes, the others mostly go with it. */
async function revoke(
  setup: OAuthSetup,
  identity: ClientIdentity,
  gone: { tokens: TokenRecord; discovery: Discovery; signal: AbortSignal },
): Promise<void> {
  const { discovery, tokens, signal } = gone
  const { revocation_endpoint: endpoint } = discovery.authorization_server
  if (endpoint === undefined) return
  const requests = setup.openRequests(signal)
  const { client_id } = tokens
  const client = await findKnownClient(setup, identity, { discovery, client_id })
  if (!client) return
  const authenticate = authenticateClient(client, identity.client)
  const metadata = toSdkMetadata(discovery.authorization_server)
  for (const hint of ['refresh_token', 'access_token'] as const) {
    const token = tokens[hint]
    if (token === undefined) continue
    const body = new URLSearchParams({ token, token_type_hint: hint })
    const headers = new Headers()
    await authenticate(headers, body, endpoint, metadata)
    const init = { method: 'POST', headers, body, redirect: 'error' } as const
    const { ok } = await requests.fetch(endpoint, init)
    if (!ok) throw new Error('the revocation was refused')
  }
}
