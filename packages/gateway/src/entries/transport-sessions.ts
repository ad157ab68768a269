import { randomBytes } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import type { PeerMessage, Peers } from '../peers/index.ts'
import type { Caller, ClientCapabilities } from '../protocol/index.ts'
import { createSessionTurns } from './session-turns.ts'

/** What a client and the gateway agreed on at `initialize`. */
export interface TransportSession {
  session_id: string
  /** The key or the grant that opened it: nobody else may use it. */
  owner_key: string
  tenant_id: string
  group_id: string
  /** The group of that time, and none of the same id since. */
  group_made_at: number
  version: string
  capabilities: ClientCapabilities
  log_level?: string | undefined
  /** URIs that the client wants to hear of. */
  subscriptions: readonly string[]
}

export interface TransportSessions {
  open(
    caller: Caller,
    agreed: Pick<TransportSession, 'version' | 'capabilities'>,
  ): Promise<TransportSession>
  /** Undefined where there is none, or it is another's. Rejects with `store_unavailable`. */
  find(session_id: string, caller: Caller): Promise<TransportSession | undefined>
  /** `update` gets the session as it is, and not before another's change is done. */
  change(session_id: string, update: (now: TransportSession) => Changes): Promise<void>
  end(session: TransportSession): Promise<void>
  /** `handler` is told of every change and end, wherever it was made. Must not throw. */
  onChange(handler: (session_id: string) => void): () => void
}

export type Changes = Partial<Pick<TransportSession, 'log_level' | 'subscriptions'>>

const idleMs = 3_600_000
/** How old what is known here may be. */
const knownMs = 5_000
/** How often a session in use is kept from expiring. */
const renewMs = 60_000
const maxKnown = 10_000

const keyOf = (session_id: string) => `mcp:transport:${session_id}`
const endKeyOf = (session_id: string) => `mcp:transport-end:${session_id}`

interface Known {
  session: TransportSession
  readAt: number
  renewedAt: number
}

export interface TransportSessionsOptions {
  kv: Pick<Kv, 'get' | 'set' | 'setIfAbsent' | 'delete'>
  peers: Pick<Peers, 'tell' | 'on'>
  clock: Clock
}

export function createTransportSessions(options: TransportSessionsOptions): TransportSessions {
  const { kv, peers, clock } = options
  const known = new Map<string, Known>()
  const handlers = new Set<(session_id: string) => void>()
  const turns = createSessionTurns({ kv, clock })
  const kind = 'session'

  peers.on(kind, ({ session_id }: PeerMessage) => {
    known.delete(String(session_id))
    for (const handler of handlers) handler(String(session_id))
  })

  function remember(session: TransportSession): TransportSession {
    if (known.size >= maxKnown) known.delete(known.keys().next().value as string)
    const now = clock.monotonic()
    known.set(session.session_id, { session, readAt: now, renewedAt: now })
    return session
  }

  async function read(session_id: string): Promise<TransportSession | undefined> {
    const text = await kv.get(keyOf(session_id))
    if (text === undefined) return void known.delete(session_id)
    return JSON.parse(text) as TransportSession
  }

  async function write(session: TransportSession): Promise<TransportSession> {
    const { session_id } = session
    await kv.set(keyOf(session_id), JSON.stringify(session), { ttlMs: idleMs })
    return remember(session)
  }

  /** Writes it anew. One that was ended meanwhile is not there again by that. */
  async function rewrite(
    session_id: string,
    update: (now: TransportSession) => Changes,
  ): Promise<TransportSession | undefined> {
    const now = await read(session_id)
    if (now === undefined) return undefined
    const session = await write({ ...now, ...update(now) })
    if ((await kv.get(endKeyOf(session_id))) === undefined) return session
    known.delete(session_id)
    return void (await kv.delete(keyOf(session_id)))
  }

  /** Reads and keeps from expiring; who has the turn does the latter. */
  async function renew(session_id: string): Promise<TransportSession | undefined> {
    const renewed = await turns.ifFree(session_id, async () => ({
      session: await rewrite(session_id, () => ({})),
    }))
    return renewed === undefined ? read(session_id) : renewed.session
  }

  async function look(session_id: string): Promise<TransportSession | undefined> {
    const held = known.get(session_id)
    const now = clock.monotonic()
    if (held === undefined || now - held.renewedAt > renewMs) return renew(session_id)
    if (now - held.readAt <= knownMs) return held.session
    const session = await read(session_id)
    if (session !== undefined) Object.assign(held, { session, readAt: now })
    return session
  }

  return {
    open: (caller, agreed) =>
      write({
        session_id: randomBytes(24).toString('base64url'),
        ...ownerOf(caller),
        subscriptions: [],
        ...agreed,
      }),
    async find(session_id, caller) {
      if (!/^[\w-]{32}$/.test(session_id)) return undefined
      const session = await look(session_id)
      return session && isTheirs(session, caller) ? session : undefined
    },
    async change(session_id, update) {
      await turns.inTurn(session_id, () => rewrite(session_id, update))
      await peers.tell({ kind, session_id })
    },
    async end({ session_id }) {
      known.delete(session_id)
      await kv.set(endKeyOf(session_id), '', { ttlMs: idleMs })
      await kv.delete(keyOf(session_id))
      await peers.tell({ kind, session_id })
    },
    onChange(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
  }
}

type Owner = Pick<TransportSession, 'owner_key' | 'tenant_id' | 'group_id' | 'group_made_at'>

function ownerOf({ owner_key, group_id, group_made_at, principal }: Caller): Owner {
  return { owner_key, tenant_id: principal.tenant_id, group_id, group_made_at }
}

function isTheirs(session: TransportSession, caller: Caller): boolean {
  const { owner_key, tenant_id, group_id, group_made_at } = ownerOf(caller)
  if (session.owner_key !== owner_key || session.tenant_id !== tenant_id) return false
  return session.group_id === group_id && session.group_made_at === group_made_at
}
