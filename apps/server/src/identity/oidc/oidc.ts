import { createHash, timingSafeEqual } from 'node:crypto'
import type { Clock, Egress } from '@dataagent/guard'
import { AppError, isAppError, parseJson } from '@dataagent/schema'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createCookie } from '../cookie.ts'
import type { Principal } from '../principal.ts'
import { admit, type OidcStores } from './admit.ts'
import { type Claims, hasAllClaims, toPerson } from './person.ts'
import { createProvider, type OidcSettings } from './provider.ts'

/** Sign-in with an OpenID Connect provider: authorization code, PKCE, state and nonce. */
export interface Oidc {
  /** What the page calls it. */
  name: string
  /** Where to send the browser, which is bound to the answer by a cookie. */
  begin(request: FastifyRequest, reply: FastifyReply): Promise<string>
  /**
   * Who came back. Throws `unauthenticated` where the answer is not the one to a question of this
   * browser, `forbidden` or `quota_exceeded` where the person may not sign in.
   */
  finish(request: FastifyRequest, reply: FastifyReply): Promise<Principal>
}

export interface OidcOptions {
  config: OidcSettings
  clock: Clock
  egress: Pick<Egress, 'createFetch'>
  /** Throws `store_unavailable` until the database has been there once. */
  stores(): OidcStores
}

const questionSeconds = 600
const questionsPerMinute = 60
const callbackPath = '/api/v1/sign-in/oidc/callback'

const questionSchema = z.object({
  nonce: z.string(),
  verifier: z.string(),
  browser: z.string(),
  redirect_uri: z.string(),
})

/** Undefined where no provider is configured. */
export function createOidc({ config, clock, egress, stores }: OidcOptions): Oidc | undefined {
  if (config.oidc_issuer === undefined) return undefined
  const provider = createProvider(config, egress)
  const cookie = createCookie({
    ...{ name: 'dataagent-oidc', sameSite: 'lax', lifetimeSeconds: questionSeconds, config },
  })

  /** One answer to one question, of the browser that asked. */
  async function takeQuestion(request: FastifyRequest, state: string | null) {
    const browser = cookie.read(request)
    const text = state ? await stores().kv.take(`oidc:${digest(state)}`) : undefined
    if (text === undefined || browser === undefined) throw notCompleted()
    const question = questionSchema.parse(parseJson(text))
    if (!isSame(digest(browser), question.browser)) throw notCompleted()
    return question
  }

  /** The claims of the ID token, and of the user where they do not suffice. */
  async function fetchClaims(question: z.infer<typeof questionSchema>, answer: URLSearchParams) {
    const [client, server] = [await import('openid-client'), await provider()]
    const tokens = await client.authorizationCodeGrant(
      server,
      new URL(`${question.redirect_uri}?${answer}`),
      {
        pkceCodeVerifier: question.verifier,
        expectedState: answer.get('state') ?? '',
        expectedNonce: question.nonce,
        idTokenExpected: true,
      },
    )
    const claims = tokens.claims() as Claims & { sub: string }
    const hasMore = server.serverMetadata().userinfo_endpoint !== undefined
    if (hasAllClaims(claims, config) || !hasMore) return claims
    return { ...(await client.fetchUserInfo(server, tokens.access_token, claims.sub)), ...claims }
  }

  return {
    name: new URL(config.oidc_issuer).hostname,

    async begin(request, reply) {
      const { kv, craft } = stores()
      const limit = { max: questionsPerMinute, windowMs: 60_000 }
      const { status } = await kv.count(`oidc-questions:${request.ip}`, limit)
      if (status === 'limited') throw new AppError('rate_limited', 'Too many sign-ins at once.')
      const [client, server] = [await import('openid-client'), await provider()]
      const [state, nonce, verifier, browser] = Array.from({ length: 4 }, craft.createToken) as [
        ...[string, string, string, string],
      ]
      const redirect_uri = `${baseOf(request, config)}${callbackPath}`
      const question = { nonce, verifier, browser: digest(browser), redirect_uri }
      const ttlMs = questionSeconds * 1000
      await kv.set(`oidc:${digest(state)}`, JSON.stringify(question), { ttlMs })
      cookie.set(request, reply, browser)
      return client.buildAuthorizationUrl(server, {
        ...{ redirect_uri, scope: config.oidc_scopes, state, nonce },
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href
    },

    async finish(request, reply) {
      const answer = new URLSearchParams(request.url.split('?', 2)[1])
      cookie.clear(request, reply)
      const question = await takeQuestion(request, answer.get('state'))
      const claims = await fetchClaims(question, answer).catch((error) => {
        throw isAppError(error) ? error : notCompleted(error)
      })
      const tenant_id = config.oidc_tenant
      return admit(toPerson(claims, config), { stores: stores(), clock, tenant_id })
    },
  }
}

/** Where the browser reaches us, without a slash at the end. */
function baseOf({ protocol, host }: FastifyRequest, { public_url }: OidcSettings): string {
  return (public_url ?? `${protocol}://${host}`).replace(/\/$/, '')
}

function notCompleted(cause?: unknown): AppError {
  return new AppError('unauthenticated', 'The sign-in was not completed. Try again.', { cause })
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
