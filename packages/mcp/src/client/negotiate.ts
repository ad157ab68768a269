import { type Clock, wait } from '@dataagent/guard'
import { McpError } from '../errors.ts'
import {
  type DiscoveryOutcome,
  type DiscoveryVerdict,
  isAboutCaller,
  judgeDiscovery,
} from '../protocol/discovery.ts'
import { preferredModern } from '../protocol/versions.ts'
import type { Era } from '../transports/transport.ts'
import type { ServerIdentity } from './contract.ts'
import { askDiscover, beginLegacy, beginModern, type Opening, sayHello } from './handshake.ts'

export interface Negotiation extends Opening {
  clock: Clock
  /** The only era to be tried; `undefined` for whichever the server speaks. */
  era: Era | undefined
  /** How long the server may stay silent before `initialize` is sent as well. */
  patienceMs: number
}

export interface Agreement {
  identity: ServerIdentity
  /** What the server can do at its best, whatever is spoken this time. */
  verdict: { era: Era; version: string }
}

type Modern = Extract<DiscoveryVerdict, { kind: 'modern' }>

/**
 * Finds out how the server wants to be spoken to and begins it. The answer to the question decides.
 * A server that stays silent is greeted as well, and one that fails at the question afterwards.
 */
export async function negotiate(negotiation: Negotiation): Promise<Agreement> {
  const { era, transport } = negotiation
  const isLegacyOnly = era === undefined && transport.kind === 'sse'
  if (era === 'legacy' || isLegacyOnly) return await goLegacy(negotiation)
  if (era === 'modern') {
    return await decide(negotiation, await askDiscover(negotiation, preferredModern))
  }
  return await negotiateEither(negotiation)
}

async function decide(negotiation: Negotiation, outcome: DiscoveryOutcome): Promise<Agreement> {
  const verdict = judgeDiscovery(outcome)
  const isOpen = negotiation.era === undefined
  if (isOpen && verdict.kind === 'unclear') return await goLegacyAfter(negotiation, verdict.error)
  if (verdict.kind !== 'legacy') return goModern(negotiation, await confirm(negotiation, verdict))
  if (isOpen) return await goLegacy(negotiation)
  throw new McpError({
    kind: 'protocol',
    code: 'upstream_failed',
    message: `mcp: the server does not speak protocol version ${preferredModern}`,
    cause: 'error' in outcome ? outcome.error : undefined,
  })
}

/** Asks once more where the server wants another version than it was asked in. */
async function confirm(
  negotiation: Negotiation,
  verdict: Exclude<DiscoveryVerdict, { kind: 'legacy' }>,
): Promise<Modern> {
  if (verdict.kind === 'modern') return verdict
  if (verdict.kind !== 'again') throw verdict.error
  const second = judgeDiscovery(await askDiscover(negotiation, verdict.version))
  if (second.kind === 'modern') return second
  throw second.kind === 'error' || second.kind === 'unclear' ? second.error : verdict.error
}

async function goLegacy(negotiation: Negotiation): Promise<Agreement> {
  return finishLegacy(negotiation, await sayHello(negotiation))
}

/** Of a server that failed at the question and does not take `initialize` either. */
async function goLegacyAfter(negotiation: Negotiation, failure: unknown): Promise<Agreement> {
  const { identity, error } = await toOutcome(sayHello(negotiation))
  if (identity !== undefined) return await finishLegacy(negotiation, identity)
  throw isAboutCaller(error) ? error : failure
}

async function finishLegacy(negotiation: Negotiation, hello: ServerIdentity): Promise<Agreement> {
  const identity = await beginLegacy(negotiation, hello)
  return { identity, verdict: { era: 'legacy', version: identity.version } }
}

function goModern(negotiation: Negotiation, { version, result }: Modern): Agreement {
  const identity = beginModern(negotiation, version, result)
  return { identity, verdict: { era: 'modern', version } }
}

async function negotiateEither(negotiation: Negotiation): Promise<Agreement> {
  const over = new AbortController()
  const signal = AbortSignal.any([negotiation.signal, over.signal])
  const bounded = { ...negotiation, signal }
  try {
    const discovery = askDiscover(bounded, preferredModern)
    const early = await within(bounded, discovery)
    if (early !== undefined) return await decide(negotiation, early)
    if (negotiation.transport.kind === 'http') return await decideFirst(bounded, discovery)
    return await decideBoth(bounded, discovery)
  } finally {
    over.abort()
  }
}

/** Over HTTP requests know nothing of each other: the first usable answer decides. */
async function decideFirst(
  negotiation: Negotiation,
  discovery: Promise<DiscoveryOutcome>,
): Promise<Agreement> {
  const hello = toOutcome(sayHello(negotiation))
  const first = await Promise.race([discovery.then(() => undefined), hello])
  if (first?.identity !== undefined) return await finishLegacy(negotiation, first.identity)
  if (first !== undefined && isAboutCaller(first.error)) throw first.error
  const verdict = judgeDiscovery(await discovery)
  if (verdict.kind !== 'legacy' && verdict.kind !== 'unclear') {
    return goModern(negotiation, await confirm(negotiation, verdict))
  }
  const { identity, error } = await hello
  if (identity !== undefined) return await finishLegacy(negotiation, identity)
  throw verdict.kind === 'legacy' || isAboutCaller(error) ? error : verdict.error
}

/**
 * The server is slow or does not know the question. The first usable answer decides, but for one
 * case: a server of both eras that starts slowly answers both, and has settled on the handshake
 * then; so a modern answer counts only when `initialize` was not accepted.
 */
async function decideBoth(
  negotiation: Negotiation,
  discovery: Promise<DiscoveryOutcome>,
): Promise<Agreement> {
  const hello = toOutcome(sayHello(negotiation))
  const first = await Promise.race([discovery.then(() => undefined), hello])
  if (first?.identity !== undefined) return await finishLegacy(negotiation, first.identity)
  const outcome = await (first === undefined ? discovery : within(negotiation, discovery))
  if (outcome === undefined) return await finishLegacy(negotiation, await orThrow(hello))
  const verdict = judgeDiscovery(outcome)
  if (verdict.kind === 'legacy') return await finishLegacy(negotiation, await orThrow(hello))
  const modern = await confirm(negotiation, verdict)
  const late = await within(negotiation, hello)
  if (late?.identity === undefined) return goModern(negotiation, modern)
  const { identity } = await finishLegacy(negotiation, late.identity)
  return { identity, verdict: { era: 'modern', version: modern.version } }
}

/** `undefined` when it takes longer than is waited for. */
async function within<T>(
  { clock, patienceMs, signal }: Negotiation,
  outcome: Promise<T>,
): Promise<T | undefined> {
  const over = new AbortController()
  const ended = AbortSignal.any([signal, over.signal])
  try {
    return await Promise.race([outcome, wait(clock, patienceMs, ended).then(() => undefined)])
  } finally {
    over.abort()
  }
}

type HelloOutcome =
  | { identity: ServerIdentity; error?: undefined }
  | { identity?: undefined; error: unknown }

async function toOutcome(hello: Promise<ServerIdentity>): Promise<HelloOutcome> {
  try {
    return { identity: await hello }
  } catch (error) {
    return { error }
  }
}

async function orThrow(hello: Promise<HelloOutcome>): Promise<ServerIdentity> {
  const outcome = await hello
  if (outcome.identity === undefined) throw outcome.error
  return outcome.identity
}
