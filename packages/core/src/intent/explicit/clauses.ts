import { toPattern } from '../to-pattern.ts'

const start = toPattern('iu')`
  (?:^|[\n.,;:!?，。；：！？、]\s{0,4}|\p{Script=Han}\s{0,2}
  |\b(?:please|you|and|then|let['’]?s|to|just|now|first)\s{1,3})$`

/** Whether a clause, or what it tells to do, begins at `index`. */
export function isClauseStart(text: string, index: number): boolean {
  return start.test(text.slice(Math.max(0, index - looked), index))
}

/** What follows a name that is used: a verb, a particle, or the end of the clause. */
const used = toPattern('u')`
  ^(?:\s{0,2}(?:$|[\n.,:;!?，。：；、！？(（]
  |来|去|查|搜|算|看|找|帮|给|把|对|处理|分析|一下|工具|服务|翻|统计|读|打开|列|发|建|提|问|获取
  |计算|导出)|\s{1,3}(?:to|for|and)\b)`

/** Whether the text at `index` goes on as after the name of something that is used. */
export function isUsedBefore(text: string, index: number): boolean {
  return used.test(text.slice(index, index + looked))
}

const looked = 12
