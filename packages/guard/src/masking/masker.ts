import { createKnownValues } from './known-values.ts'
import { createMaskedCopy, type KeyVerdict } from './masked-copy.ts'
import { createSecretKeyTest } from './secret-keys.ts'
import { maskPatterns } from './secret-patterns.ts'

export interface MaskerOptions {
  /** Key names that hold secrets, besides the usual ones; case and separators do not matter. */
  keys?: readonly string[]
  /** Secrets that must not appear anywhere, to begin with. */
  values?: Iterable<string>
  limits?: Partial<MaskerLimits>
}

export interface MaskerLimits {
  /** How deep objects are followed. */
  depth: number
  /** How many entries of objects and lists are kept in all. */
  entries: number
  /** How many characters of one text are kept. */
  text: number
}

/** Takes secrets out of what is to be logged, stored in an audit or sent with an error. */
export interface Masker {
  /**
   * A copy of `value` as JSON can hold it, without its secrets: by key name, by known value, by
   * pattern. Never throws and never changes `value`.
   */
  mask(value: unknown): unknown
  /** The same for one text. */
  maskText(text: string): string
  /** From now on `secret` is masked wherever it occurs, unless it is under six characters. */
  addValue(secret: string): void
  /** Takes back one `addValue` of the same secret. */
  removeValue(secret: string): void
}

const mask = '***'
const defaultLimits: MaskerLimits = { depth: 16, entries: 5_000, text: 65_536 }

/** Of longer texts only this many times the kept length is looked at. */
const lookedAt = 4
const unsureTail = 256
const cachedKeys = 2_000
const cachedKeyLength = 64

/** Makes a masker. */
export function createMasker(options: MaskerOptions = {}): Masker {
  const limits = { ...defaultLimits, ...options.limits }
  const isSecretKey = createSecretKeyTest(options.keys ?? [])
  const known = createKnownValues()
  const verdicts = new Map<string, KeyVerdict>()
  for (const value of options.values ?? []) known.add(value)

  return {
    mask: createMaskedCopy({ limits, mask, maskText, judgeKey, isSecretKey }),
    maskText,
    addValue(secret) {
      known.add(secret)
      verdicts.clear()
    },
    removeValue(secret) {
      known.remove(secret)
      verdicts.clear()
    },
  }

  function maskText(text: string): string {
    const looked = text.slice(0, limits.text * lookedAt)
    const start = maskWhole(looked)
    if (looked.length === text.length && start.length <= limits.text) return start
    // Where the look ended there may be the beginning of a secret, too short to be known for one.
    const tail = looked.length === text.length ? 0 : Math.max(known.longest(), unsureTail)
    const kept = Math.min(limits.text, Math.max(0, start.length - tail))
    return `${start.slice(0, kept)}[cut, ${text.length} characters]`
  }

  function maskWhole(text: string): string {
    return maskPatterns(known.replaceIn(text, mask), mask)
  }

  function judgeKey(key: string): KeyVerdict {
    const cached = verdicts.get(key)
    if (cached !== undefined) return cached
    const verdict = { secret: isSecretKey(key), shown: maskText(key) }
    if (verdicts.size >= cachedKeys) verdicts.clear()
    if (key.length <= cachedKeyLength) verdicts.set(key, verdict)
    return verdict
  }
}
