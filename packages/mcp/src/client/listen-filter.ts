import { isPlainObject } from '@dataagent/schema/base'
import type { ServerCapabilities, ServerNotice } from './contract.ts'

/** What a server is asked to tell (2026-07-28, basic/patterns/subscriptions). */
export interface ListenFilter {
  toolsListChanged?: true
  promptsListChanged?: true
  resourcesListChanged?: true
  resourceSubscriptions?: string[]
}

/** What a server agreed to, as far as it can be understood. */
export function toAgreed(value: unknown): ListenFilter {
  const agreed = isPlainObject(value) ? value : {}
  const uris = agreed.resourceSubscriptions
  return {
    ...(agreed.toolsListChanged === true && { toolsListChanged: true }),
    ...(agreed.promptsListChanged === true && { promptsListChanged: true }),
    ...(agreed.resourcesListChanged === true && { resourcesListChanged: true }),
    ...(Array.isArray(uris) && {
      resourceSubscriptions: uris.filter((uri) => typeof uri === 'string'),
    }),
  }
}

/** The changes of lists that a server offers to tell. */
export function toListFilter({ tools, prompts, resources }: ServerCapabilities): ListenFilter {
  return {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(prompts?.listChanged && { promptsListChanged: true }),
    ...(resources?.listChanged && { resourcesListChanged: true }),
  }
}

/** While nobody listened anything may have changed. */
export function toMissed(agreed: ListenFilter): ServerNotice[] {
  const uris = agreed.resourceSubscriptions ?? []
  return [
    ...(agreed.toolsListChanged ? [{ kind: 'tools_changed' as const }] : []),
    ...(agreed.promptsListChanged ? [{ kind: 'prompts_changed' as const }] : []),
    ...(agreed.resourcesListChanged ? [{ kind: 'resources_changed' as const }] : []),
    ...uris.map((uri) => ({ kind: 'resource_updated' as const, uri })),
  ]
}
