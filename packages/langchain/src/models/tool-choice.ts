import type { ToolChoice } from '@dataagent/core'
import { AppError } from '@dataagent/schema'

/** What must be called, as LangChain and the providers say it. Throws for what is none of it. */
export function fromToolChoice(choice: unknown): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  if (choice === 'any') return 'required'
  if (typeof choice === 'string') return { name: choice }
  const { type, name, function: named } = choice as Record<string, unknown>
  if (type === 'auto' || type === 'none') return type
  if (type === 'any') return 'required'
  const meant = name ?? (named as { name?: unknown } | undefined)?.name
  if (typeof meant === 'string') return { name: meant }
  throw new AppError('invalid_request', `There is no tool choice ${JSON.stringify(choice)}.`)
}

/** In LangChain's words, which every provider's `bindTools` takes. */
export function toToolChoice(choice: ToolChoice): string {
  if (typeof choice === 'object') return choice.name
  return choice === 'required' ? 'any' : choice
}
