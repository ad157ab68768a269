import { createHash } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/index.ts'
import { toActed } from './acting.ts'
import { operator } from './admin-key.ts'
import { createBrowsers } from './browsers.ts'
import { disagreement, keyOf } from './carriers.ts'
import { createConfiguredKeys } from './configured-keys.ts'
import type { CookieCarrier } from './cookie.ts'
import { assertOwnPage, refuseForeignPage } from './own-origin.ts'
import type { IdentityStores } from './ports.ts'
import type { Caller, Principal } from './principal.ts'
import { notValid, type Proof } from './proof.ts'
import { createRecent } from './recent.ts'
import { createStillMay, type StillMay } from './still-may.ts'
import { createStoredKeys } from './stored-keys.ts'
import { createTries } from './tries.ts'

type Settings = 'api_keys' | 'auth_disabled' | 'public_url'
type SignInSettings = 'sign_in_lifetime' | 'sign_in_idle' | 'sign_in_attempts'

export interface IdentityOptions {
  config: Pick<Config, Settings | SignInSettings>
  clock: Clock
  /** Throws `store_unavailable` until the database has been there once. */
  stores(): IdentityStores
}

/** Knows who calls. All of it may throw `store_unavailable`. */
export interface Identity {
  /**
   * By X-API-Key, a bearer token or the cookie of a browser that is signed in; where there are
   * several, they must agree. Throws `unauthenticated`, `rate_limited`, or `forbidden` for what a
   * foreign page sent and for acting for one whom the key may not act for.
   */
  authenticate(request: FastifyRequest): Promise<Caller>
  /** The same; undefined where the request carries nothing: a socket may say it later. */
  authenticateIfAny(request: FastifyRequest): Promise<Caller | undefined>
  /** By a key that came otherwise: in the first message of a socket. */
  authenticateKey(key: string, address: string): Promise<Caller>
  /** By the cookie of a browser that is signed in; undefined where none is, or it holds no more. */
  authenticateBrowser(request: CookieCarrier): Promise<Caller | undefined>
  stillMay: StillMay
  /** Whose key it is, also when it has ended; undefined where there is no such key. */
  holderOf(tenant_id: string, key_id: string): Promise<string | undefined>
  /** Gives the browser a cookie in place of the key. Throws `forbidden` for a foreign page's. */
  signInByKey(key: string, request: FastifyRequest, reply: FastifyReply): Promise<Caller>
  /** Gives the browser a cookie. */
  signIn(principal: Principal, request: FastifyRequest, reply: FastifyReply): Promise<void>
  signOut(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** To be called when keys, users or sign-ins changed: other processes notice within a second. */
  forget(): void
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Shorter keys of the configuration can be guessed: an address has so many tries for them. */
const guessable = 16

export function createIdentity({ config, clock, stores }: IdentityOptions): Identity {
  const recent = createRecent<Proof>(clock)
  const configured = createConfiguredKeys(config.api_keys, stores)
  const stored = createStoredKeys(stores, clock)
  const browsers = createBrowsers({ config, clock, stores, configured, stored })
  const tries = createTries({ max: config.sign_in_attempts, clock, kv: () => stores().kv })
  const publicUrl = config.public_url === undefined ? undefined : new URL(config.public_url)

  function proveKey(key: string, address: string): Promise<Proof> {
    return recent.get(`key:${digest(key)}`, async () => {
      if (key.length < guessable) await tries.assertLeft(address)
      const proof = (await configured.find(key)) ?? (await findStored(key, address))
      if (proof) return proof
      await tries.take(address)
      throw notValid()
    })
  }

  /**
   * A key of ours cannot be guessed: its holder is not kept out by what others at the same address
   * have tried. What cannot be one makes the database no work once an address has had its tries.
   */
  async function findStored(key: string, address: string): Promise<Proof | undefined> {
    if (!isOurs(key)) await tries.assertLeft(address)
    return stored.find(key)
  }

  function isOurs(key: string): boolean {
    try {
      return stores().craft.kindOf(key) === 'key'
    } catch {
      return false
    }
  }

  function proveBrowser(token: string): Promise<Proof> {
    return recent.get(`browser:${digest(token)}`, async () => {
      const proof = await browsers.find(token)
      if (!proof) throw notValid()
      return proof
    })
  }

  /** `proof` is of the key's holder. One answer for all whom one may not act for. */
  async function actFor(user_id: string, { principal, act_as }: Proof): Promise<Caller> {
    if (!act_as) throw new AppError('forbidden', 'This key may not act for others.')
    const { tenant_id, api_key } = principal
    const name = `acting:${JSON.stringify([tenant_id, user_id, api_key])}`
    const proof = await recent.get(name, async () => {
      const acted = await toActed(stores().tables, principal, user_id)
      if (acted) return { principal: acted, act_as: false }
      throw new AppError('forbidden', 'There is no such user for whom one may act.')
    })
    return toCaller(proof, 'api_key')
  }

  async function authenticateIfAny(request: FastifyRequest): Promise<Caller | undefined> {
    if (config.auth_disabled) return everyone
    const key = keyOf(request)
    const token = browsers.tokenOf(request)
    if (token !== undefined) checkPage(request)
    const byKey = key === undefined ? undefined : await proveKey(key, request.ip)
    const byBrowser = token === undefined ? undefined : await proveBrowser(token)
    if (byKey && byBrowser && !areSame(byKey, byBrowser)) throw disagreement()
    const proof = byKey ?? byBrowser
    const target = request.headers['x-dataagent-act-as']
    if (proof && typeof target === 'string') return actFor(target, proof)
    return proof && toCaller(proof, byKey ? 'api_key' : 'cookie')
  }

  function checkPage(request: FastifyRequest): void {
    const isSocket = request.headers.upgrade !== undefined
    if (isSocket || !safeMethods.has(request.method)) assertOwnPage(request, publicUrl, isSocket)
  }

  return {
    authenticateIfAny,
    async authenticate(request) {
      const caller = await authenticateIfAny(request)
      if (!caller) throw nothingSent()
      return caller
    },
    async authenticateKey(key, address) {
      if (config.auth_disabled) return everyone
      return toCaller(await proveKey(key, address), 'api_key')
    },
    async authenticateBrowser(request) {
      if (config.auth_disabled) return everyone
      const token = browsers.tokenOf(request)
      const proof = token === undefined ? undefined : await browsers.find(token)
      return proof && toCaller(proof, 'cookie')
    },
    stillMay: createStillMay({ config, stores, configured, stored }),
    holderOf: async (tenant_id, key_id) =>
      (await configured.holderOf(key_id)) ?? stored.holderOf(tenant_id, key_id),
    async signInByKey(key, request, reply) {
      if (config.auth_disabled) return everyone
      refuseForeignPage(request, publicUrl)
      const proof = await proveKey(key, request.ip)
      await browsers.signIn(proof.principal, request, reply)
      return toCaller(proof, 'cookie')
    },
    signIn: browsers.signIn,
    async signOut(request, reply) {
      await browsers.signOut(request, reply)
      recent.forget()
    },
    forget: recent.forget,
  }
}

const everyone: Caller = { principal: operator, via: 'none' }

function toCaller({ principal }: Proof, via: Caller['via']): Caller {
  return { principal, via }
}

function areSame({ principal: one }: Proof, { principal: other }: Proof): boolean {
  const names = ['tenant_id', 'user_id', 'role', 'api_key'] as const
  return names.every((name) => one[name] === other[name])
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

function nothingSent(): AppError {
  return new AppError('unauthenticated', 'Send your API key in the header X-API-Key.')
}
