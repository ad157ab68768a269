import { toSpellings } from '@dataagent/guard'
import { isPlainObject } from '@dataagent/schema/base'
import type { RpcFault } from '../../errors.ts'
import type { JsonRpcResponse } from '../../rpc/messages.ts'

/**
 * What a server was told in confidence. Some say it back: it is taken out of what leaves the
 * transport as an error or for a log, however it is spelled. Results are left as they are.
 */
export interface Confidences {
  isEmpty(): boolean
  add(values: readonly string[]): void
  /** The same for values that others follow: only the latest of them are kept. */
  addPassing(values: readonly string[]): void
  inText(text: string, further?: readonly string[]): string
  /** The beginning of a text, in which no part of a confidence is left by the cut. */
  inBeginning(text: string, max: number): string
  /** An answer that is an error, without them in its message and data; any other as it is. */
  inAnswer(answer: JsonRpcResponse, further?: readonly string[]): JsonRpcResponse
}

const mask = '***'
const passingMax = 32

export function createConfidences(values: readonly string[] = []): Confidences {
  const lasting = new Set(values)
  const passing = new Set<string>()
  let common: Pattern | undefined

  function addPassing(added: readonly string[]): void {
    for (const value of added) {
      if (!passing.delete(value)) common = undefined
      passing.add(value)
    }
    for (const oldest of passing) {
      if (passing.size <= passingMax) return
      passing.delete(oldest)
    }
  }

  /** Made when it is first needed: most servers never say anything back. */
  function toPattern(further: readonly string[] = []): Pattern {
    if (further.length > 0) return createPattern([...lasting, ...passing, ...further])
    common ??= createPattern([...lasting, ...passing])
    return common
  }

  return {
    isEmpty: () => lasting.size + passing.size === 0,
    add(added) {
      for (const value of added) {
        if (!lasting.has(value)) common = undefined
        lasting.add(value)
      }
    },
    addPassing,
    inText: (text, further) => replaceIn(text, toPattern(further)),
    inBeginning(text, max) {
      const pattern = toPattern()
      const looked = text.slice(0, max + pattern.longest)
      const told = replaceIn(looked, pattern)
      const unsure = looked.length < text.length ? pattern.longest : 0
      return told.slice(0, Math.min(max, Math.max(0, told.length - unsure)))
    },
    inAnswer(answer, further) {
      if (!('error' in answer)) return answer
      const error = replaceWithin(answer.error, toPattern(further))
      return { ...answer, error: error as RpcFault }
    },
  }
}

interface Pattern {
  /** Finds any spelling of any value, the longest first; undefined where there is no value. */
  found: RegExp | undefined
  longest: number
}

function createPattern(values: readonly string[]): Pattern {
  const spellings = new Set(values.flatMap(toSpellings).map(({ text }) => text))
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length)
  const [longest] = longestFirst
  if (longest === undefined) return { found: undefined, longest: 0 }
  const found = new RegExp(longestFirst.map((text) => RegExp.escape(text)).join('|'), 'g')
  return { found, longest: longest.length }
}

function replaceIn(text: string, { found }: Pattern): string {
  return found === undefined ? text : text.replace(found, mask)
}

/** In all texts of a parsed value; as deep as the reader of JSON lets them be. */
function replaceWithin(value: unknown, pattern: Pattern): unknown {
  if (pattern.found === undefined) return value
  if (typeof value === 'string') return replaceIn(value, pattern)
  if (Array.isArray(value)) return value.map((item) => replaceWithin(item, pattern))
  if (!isPlainObject(value)) return value
  const entries = Object.entries(value).map(([key, item]) => [
    replaceIn(key, pattern),
    replaceWithin(item, pattern),
  ])
  return Object.fromEntries(entries)
}
