import { isUsedBefore } from './clauses.ts'
import type { Named, NameIndex } from './name-index.ts'

const run = /[\p{Script=Han}A-Za-z0-9_]{2,16}/uy
/** The longest name of a tool or server in Chinese characters that stands at `index`. */
export function readHanName(
  text: string,
  index: number,
  getIndex: () => NameIndex,
): { name: string; named: Named } | undefined {
  run.lastIndex = index
  const whole = run.exec(text)?.[0]
  if (whole === undefined || !/^\p{Script=Han}/u.test(whole)) return undefined
  for (let length = whole.length; length >= 2; length--) {
    const end = index + length
    if (!isUsedBefore(text, end)) continue
    const named = getIndex().find(whole.slice(0, length))
    if (named) return { name: whole.slice(0, length), named }
  }
  return undefined
}
