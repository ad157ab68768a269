import { createEgress, type Egress } from '@dataagent/guard'
import {
  type AuthorizationServerStandIn,
  createFakeClock,
  type FakeClock,
  type ProtectedResourceStandIn,
  type StartAuthorizationServerOptions,
  type StartProtectedResourceOptions,
  startAuthorizationServer,
  startProtectedResource,
} from '@dataagent/testkit'
import { isMcpError, type McpError } from '../errors.ts'
import type { Authorizer } from './contract.ts'
import { createOAuthAuthorizer } from './oauth-authorizer.ts'
import type { OAuthAuthorizer, OAuthAuthorizerOptions, PendingSignIn } from './oauth-contract.ts'
import { createMemoryOAuthStore, type OAuthStore } from './storage/oauth-store.ts'

export const redirectUrl = 'http://127.0.0.1:7777/callback'

export interface OAuthWorld extends AsyncDisposable {
  authorization: AuthorizationServerStandIn
  resource: ProtectedResourceStandIn
  egress: Egress
  clock: FakeClock
  store: OAuthStore
  warnings: string[]
  createAuthorizer(options?: Partial<OAuthAuthorizerOptions>): OAuthAuthorizer
}

export interface OAuthWorldOptions {
  authorization?: StartAuthorizationServerOptions
  resource?: Partial<StartProtectedResourceOptions>
}

/** An authorization server, a resource that trusts it, and all that an authorizer needs. */
export async function startOAuthWorld(options: OAuthWorldOptions = {}): Promise<OAuthWorld> {
  const authorization = await startAuthorizationServer(options.authorization)
  const resource = await startProtectedResource({
    issuers: () => [authorization.issuer],
    verify: authorization.verify,
    ...options.resource,
  })
  const egress = createEgress({ policy: { mode: 'any' } })
  const clock = createFakeClock()
  const store = createMemoryOAuthStore()
  const warnings: string[] = []
  return {
    authorization,
    resource,
    egress,
    clock,
    store,
    warnings,
    createAuthorizer: (given) =>
      createOAuthAuthorizer({
        serverUrl: resource.url,
        egress,
        clock,
        store,
        redirectUrl,
        onWarning: (text) => warnings.push(text),
        ...given,
      }),
    async [Symbol.asyncDispose]() {
      await egress.close()
      await resource[Symbol.asyncDispose]()
      await authorization[Symbol.asyncDispose]()
    },
  }
}

/** Sends a message as the HTTP transports do: once more after a challenge, and no further. */
export async function ask(
  { resource, egress }: Pick<OAuthWorld, 'resource' | 'egress'>,
  authorizer: Authorizer,
  method = 'tools/list',
): Promise<number> {
  const first = await send()
  if (first.status !== 401 && first.status !== 403) return first.status
  const { status, wwwAuthenticate, sent } = first
  await authorizer.challenged({ status, wwwAuthenticate }, { sent })
  return (await send()).status

  async function send() {
    const sent = await authorizer.headers()
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method })
    const answer = await egress.request(resource.url, { method: 'POST', headers: sent, body })
    await answer.text()
    const wwwAuthenticate = answer.headers['www-authenticate'] as string | undefined
    return { status: answer.status as 401 | 403, wwwAuthenticate, sent }
  }
}

/** The error that `work` rejects with. */
export async function failureOf(work: Promise<unknown>): Promise<McpError> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (failure: unknown) => failure,
  )
  if (isMcpError(error)) return error
  throw error
}

/** The sign-in that a refused request asks for. */
export async function signInOf(work: Promise<unknown>): Promise<PendingSignIn> {
  const error = await failureOf(work)
  if (error.kind === 'sign_in' && error.data?.authorizationUrl) {
    return error.data as unknown as PendingSignIn
  }
  throw error
}

/** Has the person sign in and agree. */
export async function signIn(world: OAuthWorld, authorizer: OAuthAuthorizer): Promise<void> {
  const { authorizationUrl } = await signInOf(ask(world, authorizer))
  await authorizer.finish(await world.authorization.visit(authorizationUrl))
}
