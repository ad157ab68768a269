import { isPlainObject } from '@dataagent/schema/base'
import { type DiscoveryOutcome, versionError } from '../protocol/discovery.ts'
import { type Introduction, metaKeys, toEnvelope } from '../protocol/meta.ts'
import type { Peer } from '../protocol/peer.ts'
import { toObject } from '../protocol/results.ts'
import { legacyVersions, preferredLegacy } from '../protocol/versions.ts'
import { describe, quote } from '../protocol/words.ts'
import type { Transport } from '../transports/transport.ts'
import type { Implementation, ServerCapabilities, ServerIdentity } from './contract.ts'

/** One end of an opening: who speaks, and over what. */
export interface Opening {
  transport: Transport
  peer: Peer
  introduction: Introduction
  /** Ends the opening. */
  signal: AbortSignal
}

/** Asks `server/discover` in `version`. Never rejects. */
export async function askDiscover(
  { peer, introduction, signal }: Opening,
  version: string,
): Promise<DiscoveryOutcome> {
  const method = 'server/discover'
  const meta = toEnvelope(version, introduction)
  try {
    return { result: await peer.call(method, undefined, { meta, signal, quiet: true }) }
  } catch (error) {
    return { error }
  }
}

/** From now on every request speaks for itself. */
export function beginModern(
  { transport, peer, introduction }: Opening,
  version: string,
  discovered: Record<string, unknown>,
): ServerIdentity {
  peer.envelope = toEnvelope(version, introduction)
  peer.tellsCancel = transport.kind !== 'http'
  transport.negotiated?.({ era: 'modern', version })
  const meta = isPlainObject(discovered._meta) ? discovered._meta : {}
  const serverInfo = meta[metaKeys.serverInfo] ?? discovered.serverInfo
  return toIdentity({ era: 'modern', version }, { ...discovered, serverInfo })
}

/** Sends `initialize`, which is never cancelled, and gives what the server says of itself. */
export async function sayHello({ peer, introduction, signal }: Opening): Promise<ServerIdentity> {
  const params = { protocolVersion: preferredLegacy, ...introduction }
  const answer = await peer.call('initialize', params, { signal, quiet: true })
  const result = toObject('initialize', answer)
  const { protocolVersion: version } = result
  if (typeof version === 'string' && legacyVersions.includes(version)) {
    return toIdentity({ era: 'legacy', version }, result)
  }
  throw versionError(
    typeof version === 'string' ? quote(version) : describe(version),
    legacyVersions,
  )
}

/** Ends the handshake that `sayHello` began. */
export async function beginLegacy(
  { transport, peer }: Opening,
  identity: ServerIdentity,
): Promise<ServerIdentity> {
  transport.negotiated?.({ era: 'legacy', version: identity.version })
  await peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return identity
}

function toIdentity(
  protocol: Pick<ServerIdentity, 'era' | 'version'>,
  { serverInfo, capabilities, instructions }: Record<string, unknown>,
): ServerIdentity {
  return {
    ...protocol,
    serverInfo: toImplementation(serverInfo),
    capabilities: (isPlainObject(capabilities) ? capabilities : {}) as ServerCapabilities,
    ...(typeof instructions === 'string' && { instructions }),
  }
}

/** A server may leave out who it is. */
function toImplementation(info: unknown): Implementation {
  const { name, version, ...rest } = isPlainObject(info) ? info : {}
  return {
    ...rest,
    name: typeof name === 'string' ? name : 'unknown',
    version: typeof version === 'string' ? version : 'unknown',
  }
}
