import { createToolFilter, matchToolFilter } from '@dataagent/mcp'

export type ToolPattern =
  | { kind: 'exact'; name: string }
  | { kind: 'any' }
  | { kind: 'pattern'; matches: (name: string) => boolean }

/**
 * Makes a pattern on tool names ready: those of `matchToolFilter`, but stars alone fit every name,
 * also one with a slash. A server must not get round `*` by how it names a tool.
 */
export function toToolPattern(pattern: string): ToolPattern {
  if (/^\*+$/.test(pattern)) return { kind: 'any' }
  if (!/[*?[\\]/.test(pattern)) return { kind: 'exact', name: pattern }
  const prefix = /^([^*?[\\]+)\*$/.exec(pattern)?.[1]
  if (prefix === undefined) {
    return { kind: 'pattern', matches: createToolFilter({ allowedTools: [pattern] }) }
  }
  const matches = (name: string) => name.startsWith(prefix) && !name.includes('/', prefix.length)
  return { kind: 'pattern', matches }
}

/** Why no name can ever fit the pattern; undefined where one can. */
export function whyNothingFits(pattern: string): string | undefined {
  if (pattern.length === 0) return 'it is empty'
  if (pattern.length > 191) return 'it has more than 191 characters'
  if (pattern.trim() !== pattern) return 'it has a space at an end'
  if (/[\p{Cc}\p{Cs}]/u.test(pattern)) return 'it holds a control character'
  const example = toExample(pattern)
  if (example === undefined)
    return 'a [ or a \\ in it is not finished; write \\[ or \\\\ for itself'
  if (matchToolFilter(pattern, example)) return undefined
  return 'a class in it holds no character; write [a-z], the lower end first'
}

/** A name that fits, if one does; undefined for a pattern that cannot be read. */
function toExample(pattern: string): string | undefined {
  let example = ''
  let isReadable = true
  const part =
    /\\(?<escaped>.)|\[(?<negated>\^)?(?<set>(?:\\.|[^\]\\])+)\]|(?<plain>[^[\\])|(?<rest>.)/gsu
  for (const { groups = {} } of pattern.matchAll(part)) {
    if (groups.rest !== undefined) isReadable = false
    else if (groups.set !== undefined) example += toMember(groups.set, groups.negated !== undefined)
    else if (groups.plain === '?') example += 'a'
    else if (groups.plain !== '*') example += groups.escaped ?? groups.plain
  }
  return isReadable ? example : undefined
}

/** A character of the class: an end of one of its ranges, or for a negated one any that fits. */
function toMember(set: string, isNegated: boolean): string {
  const written = Array.from(set.replaceAll(/\\(.)/gsu, '$1'))
  const pattern = `[${isNegated ? '^' : ''}${set}]`
  const candidates = isNegated ? ['a', 'Z', '0', '_', '-', '读', ...'bcdefghij'] : written
  return candidates.find((char) => matchToolFilter(pattern, char)) ?? 'a'
}
