import { isPlainObject, type ToolDefinition } from '@dataagent/schema'
import { toCanonicalJson } from '../canonical-json.ts'
import type { DefinitionChange } from './contract.ts'

const changesMax = 200

/** What differs between two definitions, field by field; lists are compared as a whole. */
export function diffDefinitions(before: ToolDefinition, after: ToolDefinition): DefinitionChange[] {
  const changes: DefinitionChange[] = []
  compare('', before, after, changes)
  return changes
}

function compare(path: string, before: unknown, after: unknown, changes: DefinitionChange[]): void {
  if (changes.length >= changesMax || before === after) return
  if (isPlainObject(before) && isPlainObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(path === '' ? key : `${path}.${key}`, own(before, key), own(after, key), changes)
    }
    return
  }
  if (toCanonicalJson(before) !== toCanonicalJson(after)) changes.push({ path, before, after })
}

function own(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
