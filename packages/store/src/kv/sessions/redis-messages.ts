import { AppError, readJson } from '@dataagent/schema'
import type { MessageRow, Messages } from '../../sql/index.ts'
import type { RedisSessionPart } from './redis-event-log.ts'
import { addMessagesScript, runOnKeys } from './session-scripts.ts'

/** The histories of sessions in Redis. An id of a message is unique within its session. */
export function createRedisMessages({ connection, keys, ttlMs }: RedisSessionPart): Messages {
  const messagesKey = (session_id: string) => keys.of(session_id)[2]

  return {
    async add(messages) {
      for (const [session_id, own] of Map.groupBy(messages, (each) => each.session_id)) {
        const args = own.flatMap((each) => [each.seq, each.message_id, JSON.stringify(each)])
        const all = [ttlMs, ...args]
        const verdict = await runOnKeys(connection, addMessagesScript, keys.of(session_id), all)
        if (verdict !== 1) throw toRefusal(session_id, verdict)
      }
    },

    async list(session_id, { limit, offset }) {
      if (limit <= 0) return []
      const found = await connection.run((redis) =>
        redis.zrange(messagesKey(session_id), `${offset}`, `${offset + limit - 1}`),
      )
      return found.map((text) => readJson(text) as unknown as MessageRow)
    },

    count: (session_id) => connection.run((redis) => redis.zcard(messagesKey(session_id))),
  }
}

function toRefusal(session_id: string, verdict: unknown): AppError {
  if (verdict === -1) return new AppError('not_found', `there is no session ${session_id}`)
  return new AppError('conflict', `a message of session ${session_id} is stored already`)
}
