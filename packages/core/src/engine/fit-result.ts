import type { JsonValue } from '@dataagent/schema'
import { toModelText } from './conversation.ts'
import { isWithin } from './event-size.ts'
import type { Run } from './run.ts'

/** Beside it an event has little else. */
const maxBytes = 3 * 1024 * 1024

/**
 * A call's result as the log takes it: of a longer one, which only a middleware can give, the
 * beginning and where to read the rest.
 */
export async function fitResult(run: Run, result: JsonValue): Promise<JsonValue> {
  const json = JSON.stringify(result)
  if (isWithin(json, maxBytes)) return result
  const content = [{ type: 'text' as const, text: toModelText(result) }]
  const { text } = await run.means.hub.results.fit(run.principal, { content })
  return text
}
