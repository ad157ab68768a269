import { Readable } from 'node:stream'
import type { MessageStore } from '@dataagent/core'
import type { Message, Session, SessionExportQuery } from '@dataagent/schema'
import type { FastifyReply } from 'fastify'
import type { Platform } from '../platform/index.ts'
import { readLog } from './sessions-log.ts'
import { titleOf, toSessionInfo } from './sessions-view.ts'

const pageSize = 200

const kinds = {
  json: { type: 'application/json; charset=utf-8', ending: 'json', write: writeJson },
  markdown: { type: 'text/markdown; charset=utf-8', ending: 'md', write: writeMarkdown },
} as const

/** Sends a session as a file, piece by piece: however long it is, little of it is in memory. */
export function sendExport(
  reply: FastifyReply,
  platform: Platform,
  { session, format }: { session: Session } & SessionExportQuery,
): FastifyReply {
  const { type, ending, write } = kinds[format]
  return reply
    .type(type)
    .header('content-disposition', `attachment; filename="${session.session_id}.${ending}"`)
    .send(Readable.from(write(platform, session)))
}

async function* writeJson(platform: Platform, session: Session): AsyncGenerator<string> {
  const { stores } = platform
  yield `{"session":${JSON.stringify(await toSessionInfo(platform, session))},"messages":[`
  yield* separated(readMessages(stores.messages, session), JSON.stringify)
  yield '],"events":['
  yield* separated(readLog(stores.events, session.session_id), ({ json }) => json)
  yield ']}\n'
}

async function* writeMarkdown(platform: Platform, session: Session): AsyncGenerator<string> {
  yield `# ${(titleOf(session) ?? session.session_id).replaceAll(/\s+/g, ' ')}\n`
  for await (const page of readMessages(platform.stores.messages, session)) {
    for (const message of page) yield toSection(message)
  }
}

function toSection({ role, content, created_at }: Message): string {
  const who = role === 'user' ? 'User' : 'Assistant'
  return `\n## ${who}, ${new Date(created_at).toISOString()}\n\n${content.trimEnd()}\n`
}

/** Pages as the elements of a JSON array. */
async function* separated<T>(
  pages: AsyncIterable<readonly T[]>,
  toJson: (one: T) => string,
): AsyncGenerator<string> {
  let isFirst = true
  for await (const page of pages) {
    yield (isFirst ? '' : ',') + page.map((one) => toJson(one)).join(',')
    isFirst = false
  }
}

async function* readMessages(messages: MessageStore, { session_id }: Session) {
  for (let offset = 0; ; offset += pageSize) {
    const page = await messages.list(session_id, { limit: pageSize, offset })
    if (page.length > 0) yield page.map(({ seq: _, ...message }): Message => message)
    if (page.length < pageSize) return
  }
}
