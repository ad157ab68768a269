import { originOf } from '@dataagent/hub'
import type { ToolsMatchedEvent } from '@dataagent/schema'
import type { ToolView } from './tool-view.ts'

const matchesMax = 10
const wordMax = 200

/** Why tools of servers take part in the turn, for people; undefined where none do. */
export function toMatchedEvent(view: ToolView, timestamp: number): ToolsMatchedEvent | undefined {
  const { intent, words, entries } = view.match
  if (intent.type !== 'mcp') return undefined
  const { mode: tool_mode, offered } = view.prompt()
  const names = new Map(view.servers().map(({ server_id, name }) => [server_id, name]))
  const matches = words.slice(0, matchesMax).map(({ by, word, server_id = '' }) => {
    const server_name = names.get(server_id)
    return {
      ...{ by, word: word.slice(0, wordMax) },
      ...(server_name !== undefined && { server_id: originOf(server_id), server_name }),
    }
  })
  const event_type = 'tools_matched'
  return { event_type, timestamp, matches, tool_mode, matched: entries.length, offered }
}
