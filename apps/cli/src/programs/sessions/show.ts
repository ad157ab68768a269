import type { Client } from '@dataagent/client'
import type { Message } from '@dataagent/schema'
import { exitCodes } from '../../args/index.ts'
import { toPlain, toPlainLine } from '../../ui/index.ts'
import { toSafeJson } from '../safe-json.ts'
import type { Action } from './action.ts'
import { words } from './words.ts'

/** What was said, oldest first. */
export const showSession: Action = async ({ client, ids: [id = ''], flags }, context) => {
  const { stdout, lang } = context
  const session = await client.sessions.get(id)
  const messages = await readMessages(client, id)
  if (flags.has('json')) {
    stdout.write(`${toSafeJson(JSON.stringify({ session, messages }, null, 2))}\n`)
    return exitCodes.ok
  }
  stdout.write(`${toPlainLine(session.title ?? session.session_id)}\n`)
  for (const { role, content } of messages)
    stdout.write(`\n${words.roles[role][lang]}:\n${toPlain(content).trimEnd()}\n`)
  return exitCodes.ok
}

async function readMessages(client: Client, session_id: string): Promise<Message[]> {
  const messages: Message[] = []
  for (let total = 1; messages.length < total; ) {
    const page = await client.sessions.messages(session_id, { limit: 200, offset: messages.length })
    if (page.messages.length === 0) break
    messages.push(...page.messages)
    total = page.total
  }
  return messages
}
