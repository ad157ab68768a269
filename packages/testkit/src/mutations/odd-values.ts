import type { Random } from './random.ts'

/** JSON texts of values that readers trip over; some are not JSON at all. */
const values = [
  ...['null', 'true', 'false', '[]', '{}', '""', '0', '-1', '-0', '0.5', '1e999', '-1e999'],
  ...['1e-999', '9007199254740993', '123456789012345678901234567890', '2147483648', '01', 'NaN'],
  ...['"\\ud800"', '"\\udc00x"', '"\\u0000"', '"\\u202e\\u2066"', '"\\u2028"', '"\\u001b[2J"'],
  ...['"\u0000"', '"\u202etxt.exe"', '"\ufeff"', '"e\u0301"', '"İ"', '"👩‍👩‍👧"'],
  ...['"__proto__"', '"constructor"', '"toString"', '"../../etc/passwd"', '"%00"', '"*"'],
  ...['[[]]', '[null]', '{"a":{"b":[]}}', '{"__proto__":{"polluted":true}}'],
  ...['{"constructor":{"prototype":{"polluted":true}}}', '{"toString":1}', '{"then":{}}'],
  ...['{"length":1e9}', '{"toJSON":1}', '{"$ref":"#"}'],
] as const

/** Keys that mean something to JavaScript, or look like another one. */
const keys = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'toJSON', 'then', 'valueOf', ''],
  ...['\\u005f_proto__', '\\u0069d', '\\ud800', '\\u0000', '\u202e', 'hasOwnProperty', '0', '-1'],
  ...['k'.repeat(30_000), '\u001b[2J\u001b[H', '\\u001b[2J'],
] as const

const deepLevels = [2, 40, 63, 64, 65, 66, 100, 1_000, 20_000] as const
const lengths = [1, 255, 256, 257, 1_000, 4_097, 70_000] as const

/** The text of a value that a reader does not expect. */
export function oddValue(random: Random): string {
  const kind = random.below(12)
  if (kind === 0) return deep(random)
  if (kind === 1)
    return `"${random.of(['x', '\u202e', '你', '\\u0000'])?.repeat(random.of(lengths))}"`
  if (kind === 2) return `[${Array(random.of(lengths)).fill('0').join()}]`
  return random.of(values)
}

export function oddKey(random: Random): string {
  return random.of(keys)
}

function deep(random: Random): string {
  const levels = random.of(deepLevels)
  const [open, close] = random.of([
    ['[', ']'],
    ['{"a":', '}'],
    ['{"properties":{"a":', '}}'],
  ] as const)
  return `${open.repeat(levels)}null${close.repeat(levels)}`
}
