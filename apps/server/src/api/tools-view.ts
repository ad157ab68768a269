import type { CatalogueEntry, Explanation, ToolOutcome } from '@dataagent/hub'
import { AppError, type ToolView } from '@dataagent/schema'

/** Whether a text is in a tool's name or description, without regard to case. */
export function matches({ tool, sdk_name }: CatalogueEntry, text: string | undefined): boolean {
  if (text === undefined) return true
  const { title = '', description } = tool.definition
  return `${sdk_name}\n${title}\n${description}`.toLowerCase().includes(text.toLowerCase())
}

/** A tool of the caller's list, with what decides on it. */
export function toView(
  { tool, sdk_name, wire_name }: CatalogueEntry,
  { verdict, steps }: Explanation,
): ToolView {
  const { server_id, version, hash, seen_at, findings, definition } = tool
  return {
    ...definition,
    ...{ server_id, version, hash, seen_at, findings, sdk_name, wire_name },
    verdict: verdict.status === 'allow' ? 'allow' : 'ask',
    why: steps.find(({ decided }) => decided)?.text ?? '',
    by: verdict.by,
  }
}

type Answered = Extract<ToolOutcome, { status: 'ok' | 'failed' }>

/** What the tool answered, be it that it failed. Throws what kept it from being run. */
export function throwRefused(outcome: ToolOutcome): Answered {
  if (outcome.status === 'ok' || outcome.status === 'failed') return outcome
  const { call_id, trace_id, status } = outcome
  const { code, message, retry_after_ms, ...fault } = outcome.error
  const retry = retry_after_ms === undefined ? {} : { retryAfterMs: retry_after_ms }
  throw new AppError(code, message, { data: { ...fault, ...retry, call_id, trace_id, status } })
}
