import type { Named, NameIndex } from './name-index.ts'

const run = /[\p{Script=Han}A-Za-z0-9_]{2,16}/uy
/** What can follow a name that is used: a verb, a particle, or the end of the clause. */
const following =
  /^(?:来|去|查|搜|算|看|找|帮|给|把|对|处理|分析|一下|工具|服务|[\s,.:;!?，。：；、！？(（]|$)/u

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
    if (!following.test(text.slice(end, end + 2))) continue
    const named = getIndex().find(whole.slice(0, length))
    if (named) return { name: whole.slice(0, length), named }
  }
  return undefined
}
