import type { CatalogueEntry, Hub } from '@dataagent/hub'
import { ownServerId } from '@dataagent/hub'
import type { GroupNames } from '../groups/index.ts'
import type { Caller, Era } from './contract.ts'

/** How long a client may take a list for current without asking: changes are told on `listen`. */
const listTtlMs = 60_000

export interface ToolListOptions {
  hub: Pick<Hub, 'listTools'>
  names: Pick<GroupNames, 'nameOf'>
}

type Names = ReadonlyMap<CatalogueEntry, string>

/**
 * What `tools/list` answers, as text: made once for each list of tools and era, and the same text
 * until the group, its tools or their servers change.
 */
export function createToolList({ hub, names }: ToolListOptions) {
  const made = new WeakMap<Names, Partial<Record<Era, string>>>()

  function namesFor({ principal, group_id }: Caller): Names {
    return names.nameOf(group_id, hub.listTools({ principal }))
  }

  return {
    textFor(caller: Caller, era: Era): string {
      const named = namesFor(caller)
      const texts = made.get(named) ?? {}
      made.set(named, texts)
      texts[era] ??= toText(named, era)
      return texts[era]
    },
  }
}

function toText(named: Names, era: Era): string {
  const tools = [...named].map(([entry, name]) => toTool(entry, name, era))
  return JSON.stringify({ tools, ...(era === 'modern' && modernParts) })
}

const modernParts = { resultType: 'complete', ttlMs: listTtlMs, cacheScope: 'private' }

function toTool({ tool, own }: CatalogueEntry, name: string, era: Era) {
  const { definition } = tool
  const category = tool.server_id === ownServerId ? own?.category : undefined
  const { outputSchema, ...rest } = definition
  return {
    ...rest,
    name,
    // Before 2026-07-28 a structured result is an object, and clients refuse a list with others.
    ...(isListable(outputSchema, era) && { outputSchema }),
    ...(category !== undefined && {
      _meta: { ...('_meta' in rest && (rest._meta as object)), 'dataagent/category': category },
    }),
  }
}

function isListable(schema: Record<string, unknown> | undefined, era: Era): boolean {
  return schema !== undefined && (era === 'modern' || schema.type === 'object')
}
