import type { ActionRequest, ToolAnnotations } from '@dataagent/schema'

/** The server says first, in English, how much is not shown: the page says it in its own words. */
const notice = /^Not shown of the arguments, and part of what runs: [^\n]*\.\n\n/

/** What the tool does, in the words of its server. */
export function toDescription(action: ActionRequest): string {
  const { description } = action
  return hiddenCharacters(action) > 0 ? description.replace(notice, '') : description
}

/** How many characters of the arguments are not shown. */
export function hiddenCharacters(action: ActionRequest): number {
  const { not_shown } = action as { not_shown?: { masked?: unknown; cut?: unknown } }
  const sum = Number(not_shown?.masked ?? 0) + Number(not_shown?.cut ?? 0)
  return Number.isFinite(sum) ? sum : 0
}

/** What the server of the tool claims of it. */
export function toAnnotations(action: ActionRequest): ToolAnnotations {
  const { annotations = {} } = action as { annotations?: Record<string, unknown> }
  const { readOnlyHint, destructiveHint } = annotations
  return {
    ...(typeof readOnlyHint === 'boolean' && { readOnlyHint }),
    ...(typeof destructiveHint === 'boolean' && { destructiveHint }),
  }
}
