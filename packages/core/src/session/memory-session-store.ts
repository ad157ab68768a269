import { AppError, type Session, sessionSchema } from '@dataagent/schema'
import type { Page, SessionSearch, SessionStore, SessionStores, StoredMessage } from './contract.ts'
import { createMemoryLog } from './memory-log.ts'

/** All that is kept of one session. */
export interface MemorySession {
  session: Session
  events: { kind: string; json: string }[]
  /** In the order of their seq. */
  messages: StoredMessage[]
}

/**
 * Sessions, logs and messages in this process's memory: gone when it ends, and not seen by any
 * other [D13.5]. What is given and what is kept are copies of each other.
 */
export function createMemorySessionStore(): SessionStores & { sessions: SessionSearch } {
  const kept = new Map<string, MemorySession>()
  return {
    sessions: createSessions(kept),
    events: createMemoryLog(kept),
    messages: {
      async add(messages) {
        const bySession = Map.groupBy(messages, ({ session_id }) => session_id)
        const changes = [...bySession].map(([session_id, added]) => {
          const place = find(kept, session_id)
          return { place, messages: withAdded(place.messages, added) }
        })
        for (const { place, ...changed } of changes) Object.assign(place, changed)
      },
      list: async (session_id, page) =>
        cut(kept.get(session_id)?.messages ?? [], page).map((message) => ({ ...message })),
      count: async (session_id) => kept.get(session_id)?.messages.length ?? 0,
    },
  }
}

function createSessions(kept: Map<string, MemorySession>): SessionStore & SessionSearch {
  const own = (tenant_id: string, session_id: string) => {
    const place = kept.get(session_id)
    return place?.session.tenant_id === tenant_id ? place : undefined
  }

  const list = (fits: (session: Session) => boolean) =>
    [...kept.values()]
      .map(({ session }) => session)
      .filter(fits)
      .sort((a, b) => b.last_active - a.last_active || (a.session_id < b.session_id ? -1 : 1))

  const ofUser = (tenant_id: string, user_id: string) =>
    list((session) => session.tenant_id === tenant_id && session.user_id === user_id)

  const found = (tenant_id: string, user_id: string, text: string) =>
    ofUser(tenant_id, user_id).filter(({ session_id }) => holds(find(kept, session_id), text))

  return {
    async create(session, { max = Infinity } = {}) {
      const { session_id, tenant_id, user_id } = session
      if (!sessionSchema.shape.session_id.safeParse(session_id).success) throw badId(session_id)
      if (kept.has(session_id)) throw new AppError('conflict', `session ${session_id} exists`)
      if (ofUser(tenant_id, user_id).length >= max) throw noRoom(max)
      kept.set(session_id, { session: structuredClone(session), events: [], messages: [] })
    },
    async get(tenant_id, session_id) {
      return structuredClone(own(tenant_id, session_id)?.session)
    },
    async update(tenant_id, session_id, change) {
      const place = own(tenant_id, session_id)
      if (place === undefined) throw unknown(session_id)
      const { assistant_id, last_active, state, metadata } = {
        ...place.session,
        ...change(structuredClone(place.session)),
      }
      const changed = { ...place.session, assistant_id, last_active, state, metadata }
      place.session = structuredClone(changed)
      return changed
    },
    async delete(tenant_id, session_id) {
      return own(tenant_id, session_id) !== undefined && kept.delete(session_id)
    },
    listByUser: async (tenant_id, user_id, page) =>
      structuredClone(cut(ofUser(tenant_id, user_id), page)),
    listByAssistant: async (tenant_id, assistant_id, page) => {
      const fits = (session: Session) =>
        session.tenant_id === tenant_id && session.assistant_id === assistant_id
      return structuredClone(cut(list(fits), page))
    },
    countByUser: async (tenant_id, user_id) => ofUser(tenant_id, user_id).length,
    search: async (tenant_id, user_id, text, page) =>
      structuredClone(cut(found(tenant_id, user_id, text), page)),
    countFound: async (tenant_id, user_id, text) => found(tenant_id, user_id, text).length,
    async cleanupExpired({ before, limit }) {
      const expired = list(({ last_active }) => last_active < before)
      const ids = expired
        .reverse()
        .slice(0, limit)
        .map(({ session_id }) => session_id)
      for (const session_id of ids) kept.delete(session_id)
      return ids
    },
  }
}

function holds({ session, messages }: MemorySession, text: string): boolean {
  const wanted = text.toLowerCase()
  const { title } = session.metadata
  const texts = messages.map(({ content }) => content)
  const all = typeof title === 'string' ? [title, ...texts] : texts
  return all.some((each) => each.toLowerCase().includes(wanted))
}

/** The messages in their order, or `conflict` where one is there already. */
function withAdded(
  present: readonly StoredMessage[],
  added: readonly StoredMessage[],
): StoredMessage[] {
  const all = [...present, ...added.map((message) => ({ ...message }))]
  const seqs = new Set(all.map(({ seq }) => seq))
  const ids = new Set(all.map(({ message_id }) => message_id))
  if (seqs.size < all.length || ids.size < all.length) {
    throw new AppError('conflict', 'a message of the same place or id is there already')
  }
  return all.sort((a, b) => a.seq - b.seq)
}

function cut<T>(list: readonly T[], { limit, offset }: Page): T[] {
  return list.slice(offset, offset + limit)
}

function find(kept: ReadonlyMap<string, MemorySession>, session_id: string): MemorySession {
  const place = kept.get(session_id)
  if (place === undefined) throw unknown(session_id)
  return place
}

function unknown(session_id: string): AppError {
  return new AppError('not_found', `there is no session ${session_id}`)
}

function badId(session_id: string): AppError {
  return new AppError('invalid_request', `session_id: ${JSON.stringify(session_id)} is none`)
}

function noRoom(max: number): AppError {
  const data = { limit: 'max_sessions_per_user', max }
  return new AppError('quota_exceeded', `a user may have ${max} sessions: delete one first`, {
    data,
  })
}
