import { quote, type Steps } from './field-path.ts'

/** Names of fields whose values are not repeated, however short. */
const secretNames = new RegExp(
  [
    ...['pass', 'pwd', 'secret', 'token', 'key', 'auth', 'cookie', 'credential', 'session'],
    ...['signature', 'private', 'pin$', 'otp', 'cvv', 'cvc', 'ssn', 'card'],
  ].join('|'),
  'i',
)

/**
 * What came, in words: numbers and truth values as they are, of the rest only kind and size. What
 * may be a secret is not repeated.
 */
export function describeGot(value: unknown, steps: Steps): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty array' : `an array of ${value.length}`
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return toStringWords(value)
  return isSecret(steps) ? `a ${typeof value}` : `${String(value)} (a ${typeof value})`
}

/** As `describeGot`, with short plain words quoted: for a choice, where the word is the point. */
export function describeChoice(value: unknown, steps: Steps): string {
  const isPlain = typeof value === 'string' && plainWord.test(value)
  return isPlain && !isSecret(steps) ? quote(value) : describeGot(value, steps)
}

/** Words, or something short: not what has the look of a credential. */
const plainWord = /^(?:[\p{L} _.:/-]{1,40}|[\p{L}\p{N} _.:/-]{1,12})$/u

function toStringWords(value: string): string {
  if (value === '') return 'an empty string'
  return `a string of ${value.length} character${value.length === 1 ? '' : 's'}`
}

function isSecret(steps: Steps): boolean {
  return steps.some((step) => typeof step === 'string' && secretNames.test(step))
}
