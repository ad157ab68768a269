import { partInWords, type ToolResult } from '@dataagent/hub'
import { type JsonObject, judgeJson, type ToolResultEvent, withoutRepeats } from '@dataagent/schema'
import { isWithin } from './event-size.ts'

type Shown = NonNullable<ToolResultEvent['shown']>
type Part = ToolResult['raw']['content'][number]

/** As JSON: an event has room for it beside the largest result. */
const maxBytes = 960 * 1024
const partsMax = 100
/** The same for all results of a run: about 20 screenshots at their largest. */
const maxRunBytes = 16 * 1024 * 1024

/** What a log still takes of this, in bytes. */
export interface ShownRoom {
  left: number
}

export const createShownRoom = (): ShownRoom => ({ left: maxRunBytes })

/**
 * What people are shown of a result beside its text; undefined where the text is all. What is too
 * large for the log is named. What a tool of our own has structured it shows by blocks, if at all.
 */
export function besideText(
  { raw }: ToolResult,
  { isOwn, runRoom }: { isOwn: boolean; runRoom: ShownRoom },
): Shown | undefined {
  const texts = raw.content.filter(isText)
  const others = raw.content.filter(({ type }) => type !== 'text')
  const given = isOwn && texts.length > 0 ? undefined : raw.structuredContent
  if (others.length === 0 && given === undefined) return undefined
  const isRepeated = !withoutRepeats(raw.content, given).some(isText)
  const isTheText = isRepeated && texts.length <= 1
  const room = createRoom(runRoom)
  const structured = isTheText || !room.take(given) ? undefined : (given as JsonObject)
  const content = others.slice(0, partsMax).map((part) => (room.take(part) ? part : toNamed(part)))
  const more = others.length - content.length
  if (more > 0) content.push({ type: 'text', text: `[${more} more parts]` })
  if (content.length === 0 && structured === undefined) return undefined
  return {
    content: content as unknown as JsonObject[],
    ...(structured !== undefined && { structuredContent: structured }),
    with_text: structured === undefined ? given !== undefined || texts.length > 0 : !isRepeated,
  }
}

function isText(part: Part): boolean {
  return part.type === 'text' && part.text !== ''
}

/** Takes what the log can hold, as far as there is room in the event and in what its run has. */
function createRoom(ofRun: ShownRoom) {
  let left = maxBytes
  return {
    take(value: unknown): boolean {
      if (value === undefined || judgeJson(value).status !== 'ok') return false
      const json = JSON.stringify(value)
      if (!isWithin(json, Math.min(left, ofRun.left))) return false
      const bytes = Buffer.byteLength(json)
      left -= bytes
      ofRun.left -= bytes
      return true
    },
  }
}

function toNamed(part: Part) {
  return { type: 'text', text: `[${partInWords(part)}, too large to show]` }
}
