import { positionsOf } from './positions-of.ts'

/** Up to here `indexOf` is the faster one. */
const shortChars = 64

/**
 * Where a passage, which is not empty, is in a text, none within another. `indexOf` alone may take
 * as long as both lengths multiplied, for a passage that repeats itself.
 */
export function* passagesIn(text: string, passage: string): Generator<number> {
  let end = 0
  if (passage.length <= shortChars) {
    for (let at = text.indexOf(passage); at >= 0; at = text.indexOf(passage, end)) {
      yield at
      end = at + passage.length
    }
    return
  }
  for (const at of positionsOf(text, passage)) {
    if (at < end) continue
    yield at
    end = at + passage.length
  }
}

/** `text.includes(passage)`, under the same bound. */
export function hasPassage(text: string, passage: string): boolean {
  return passage === '' || passagesIn(text, passage).next().done !== true
}
