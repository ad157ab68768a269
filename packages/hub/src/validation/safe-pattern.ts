import { RE2JS } from 're2js'
import { weighPattern } from './pattern-weight.ts'
import { toRe2 } from './to-re2.ts'

/** As a RegExp, as far as the compiler needs it. */
export interface SafePattern {
  test(text: string): boolean
  /**
   * The compiler keeps patterns by this text: were it the same for two, both would be checked by
   * one of them.
   */
  toString(): string
}

type PatternKind =
  /** Checked in time that is linear in the text. */
  | 'linear'
  /** Needs what only JavaScript's own expressions can do: may take for ever. */
  | 'native'
  | 'invalid'

/** Heavier ones take long to compile and to run. */
const weightMax = 400

/** How `pattern` can be checked. Never takes long itself: a heavy one counts as `native`. */
export function kindOfPattern(pattern: string): PatternKind {
  const native = toNative(pattern)
  if (!native) return 'invalid'
  if (!native.unicode || weighPattern(pattern) > weightMax) return 'native'
  return toLinear(pattern) ? 'linear' : 'native'
}

/**
 * Throws for a pattern that is none. `read` is told before a text is read: of how many characters,
 * more for a pattern that is heavy.
 */
export function createPattern(pattern: string, read: (characters: number) => void): SafePattern {
  const native = toNative(pattern)
  if (!native) throw new Error(`the pattern ${JSON.stringify(pattern)} is not a regular expression`)
  const found = (native.unicode && toLinear(pattern)) || native
  const factor = 1 + weighPattern(pattern) / 100
  return {
    test(text) {
      read(text.length * factor)
      return found.test(text)
    },
    toString: () => `pattern ${JSON.stringify(pattern)}`,
  }
}

/** With the `u` flag, as JSON Schema says; without it where servers write what that refuses. */
function toNative(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {}
  }
  return undefined
}

function toLinear(pattern: string): RE2JS | undefined {
  const translated = toRe2(pattern)
  if (translated === undefined) return undefined
  try {
    return RE2JS.compile(translated)
  } catch {
    return undefined
  }
}
