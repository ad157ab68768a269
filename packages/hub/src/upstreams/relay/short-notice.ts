import type { Progress, ServerNotice } from '@dataagent/mcp'
import { isJsonBeyond } from '../../json-beyond.ts'

const longest = 4_000
const longestName = 200
const leftOut = 'This was too long to be passed on.'

/** Of an id nothing can be cut. */
export function isTooLong(notice: ServerNotice): boolean {
  return notice.kind !== 'log' && isJsonBeyond(notice, longest)
}

export function toShortNotice(notice: ServerNotice): ServerNotice {
  if (notice.kind !== 'log' || !isJsonBeyond(notice, longest)) return notice
  const { kind, level, logger, data } = notice
  return {
    ...{ kind, level: level.slice(0, longestName).toWellFormed() },
    ...(logger !== undefined && { logger: logger.slice(0, longestName).toWellFormed() }),
    data: isJsonBeyond(data, longest) ? toShortData(data) : data,
  }
}

export function toShortProgress(told: Progress): Progress {
  const { progress, total, message } = told
  return {
    progress,
    ...(total !== undefined && { total }),
    ...(message !== undefined && { message: toShortText(message) }),
  }
}

function toShortData(data: unknown): string {
  return typeof data === 'string' ? toShortText(data) : leftOut
}

/** What is secret is looked for by whoever gets this: half of it would not be found. */
function toShortText(text: string): string {
  if (text.length <= longest) return text
  const end = text.slice(0, longest).search(/\s\S*$/)
  return end > 0 ? `${text.slice(0, end)} … (cut)` : leftOut
}
