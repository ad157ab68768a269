import type { LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { addressDenied, upstreamFailed } from './egress-error.ts'
import { loadHttpClient } from './http-client.ts'
import { type Destination, type PolicyRules, toHost } from './policy.ts'

/** One answer of name resolution. */
export interface LookupAnswer {
  address: string
  family: number
}

/** Resolves a host name to all its addresses. Rejects when there are none. */
export type Lookup = (hostname: string) => Promise<readonly LookupAnswer[]>

export interface ConnectorOptions {
  destination: Destination
  rules: PolicyRules
  lookup: Lookup
  /** What an error tells an administrator to change. */
  allowSetting: string
  connect: buildConnector.BuildOptions
}

/**
 * Opens sockets to one destination under a policy. Its name is resolved once a connection, all
 * answers are checked, and the socket goes to those answers: there is no second resolution that
 * could differ. The address that was reached is checked again. An IP literal is never looked up:
 * whoever dispatches must have checked it (`checkUrl`).
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const { destination, rules, lookup, allowSetting } = options
  const connect = loadHttpClient().buildConnector({ ...options.connect, lookup: pinnedLookup })

  return (target, onConnected) =>
    connect(target, (error, socket) => {
      if (error !== null) return onConnected(error, null)
      const refused = refuse(socket.remoteAddress ?? '')
      if (refused === undefined) return onConnected(null, socket)
      socket.destroy()
      onConnected(refused, null)
    })

  function pinnedLookup(...[hostname, { all }, callback]: Parameters<LookupFunction>): void {
    resolve(hostname).then(
      (answers) => {
        if (all) callback(null, [...answers])
        else callback(null, answers[0]!.address, answers[0]!.family)
      },
      (error) => callback(error, [], 0),
    )
  }

  async function resolve(hostname: string): Promise<readonly LookupAnswer[]> {
    const answers = await lookup(hostname)
    if (answers.length === 0) throw upstreamFailed(toHost(destination), 'is not a known host name')
    for (const { address } of answers) {
      const refused = refuse(address)
      if (refused !== undefined) throw refused
    }
    return answers
  }

  function refuse(address: string) {
    const found = rules.refusal(destination, address)
    return found && addressDenied(toHost(destination), found, allowSetting)
  }
}
