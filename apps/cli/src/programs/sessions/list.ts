import type { SessionInfo } from '@dataagent/schema'
import { exitCodes } from '../../args/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import type { Lang } from '../../words/index.ts'
import { toSafeJson } from '../safe-json.ts'
import type { Action } from './action.ts'
import { toTable } from './table.ts'
import { words } from './words.ts'

/** The last used first. */
export const listSessions: Action = async ({ client, flags }, { stdout, warn, lang }) => {
  const said = flags.get('limit')?.at(-1)
  const limit = Number(said ?? 20)
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) {
    warn(words.badLimit(said ?? '')[lang])
    return exitCodes.usage
  }
  const q = flags.get('search')?.at(-1)
  const { sessions, total } = await client.sessions.list({ limit, q })
  if (flags.has('json')) stdout.write(`${toSafeJson(JSON.stringify(sessions, null, 2))}\n`)
  else if (sessions.length === 0) warn((q === undefined ? words.none : words.noneFound)[lang])
  else {
    stdout.write(toTable([headings(lang), ...sessions.map((session) => rowOf(session, lang))]))
    if (total > sessions.length) warn(words.more(sessions.length, total)[lang])
  }
  return exitCodes.ok
}

function headings(lang: Lang): string[] {
  const { session_id, title, agent, status, used } = words.headings
  return [session_id, title, agent, status, used].map((text) => text[lang])
}

function rowOf(session: SessionInfo, lang: Lang): string[] {
  const { session_id, title = '', assistant_id, status = 'idle', last_active } = session
  return [
    session_id,
    toPlainLine(title, 40) || '-',
    toPlainLine(assistant_id, 24),
    words.statuses[status][lang],
    toMinute(last_active),
  ]
}

/** As the machine's clock has it: 2026-11-17 19:45. */
function toMinute(timestamp: number): string {
  const at = new Date(timestamp)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`
}
