import { toPattern } from '../to-pattern.ts'

/**
 * Words that announce a tool. A strong cue (use, call) may stand before a name alone; a weak one
 * (with, ask) counts only where the name is said to be a tool. All quantifiers are bounded: the
 * search is linear in the message.
 */
export interface Cue {
  start: number
  /** Where the name begins. */
  end: number
  isStrong: boolean
  /** Whether the name stands after `the tool` or `名为`. */
  isMarked: boolean
  /** Whether it calls or runs rather than uses. */
  isCall: boolean
}

const chinese = toPattern('giu')`
  (使用|利用|调用|运行|执行|启动|试试|用|通过|借助)(?:一下|下)?\s{0,2}(?:mcp)?\s{0,2}
  (工具|名为|名叫|叫做|叫|这个|那个)?\s{0,2}`
const english = toPattern('giu')`
  \b(us(?:e|ing)|call(?:ing)?|run(?:ning)?|invok(?:e|ing)|execut(?:e|ing)|try|trigger|launch
  |with|via|through|ask)\s{1,3}(?:(?:the|my|our|this)\s{1,3})?(?:mcp\s{1,3})?
  ((?:tool|function)\s{1,3})?((?:called|named)\s{1,3})?`

const weak = /^(?:with|via|through|ask)/i
const calls = /^(?:调用|运行|执行|call|run|invok|execut)/i

/** Of a text with more cues than these in a language, the rest is data and not a request. */
const cuesMax = 200

export function findCues(text: string): Cue[] {
  return [chinese, english]
    .flatMap((pattern) => [...text.matchAll(pattern).take(cuesMax)])
    .map(toCue)
    .sort((a, b) => a.start - b.start)
}

function toCue({ index, 0: whole, 1: verb = '', 2: mark, 3: called }: RegExpExecArray): Cue {
  return {
    start: index,
    end: index + whole.length,
    isStrong: !weak.test(verb),
    isMarked: mark !== undefined || called !== undefined,
    isCall: calls.test(verb),
  }
}
