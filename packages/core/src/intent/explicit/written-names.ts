/** A name as it is written after a cue. */
export interface WrittenName {
  name: string
  start: number
  end: number
  /** `quoted` in any kind of quotes or backticks, `latin` one or more words, `han` characters. */
  kind: 'quoted' | 'latin' | 'han'
  isBackticked: boolean
  /** Whether "tool", "server" or the like follows. */
  isMarked: boolean
}

const quoted = /[`"'“‘「『《【]([^`"'“”‘’「」『』《》【】\n]{1,80})[`"'”’」』》】]/y
const latin = /[A-Za-z_][A-Za-z0-9_]{0,63}(?:[.\-/~][A-Za-z0-9_]{1,63}){0,8}/y
const words = /[A-Za-z_][\w.\-/]{0,63}(?:\s{1,2}[A-Za-z_][\w.\-/]{0,63}){1,3}?(?=\s{1,2}tool\b)/iy
const han = /[\p{Script=Han}A-Za-z0-9_]{1,20}?(?=(?:这个|的)?(?:工具|服务|插件))/uy
const mark =
  /\s{0,2}(?:(?:这个|那个|的)\s{0,2})?(?:mcp\s{0,2})?(?:工具|服务|插件|接口|(?:tool|server|plugin)(?![a-z]))/iy

/** The ways to read a name at `index`, the likeliest first. */
export function readNames(text: string, index: number): WrittenName[] {
  const inQuotes = matchAt(quoted, text, index)
  if (inQuotes) {
    const isBackticked = inQuotes[0].startsWith('`')
    return [toName(text, { index, found: inQuotes, kind: 'quoted', isBackticked })]
  }
  const isBackticked = false
  const read = (pattern: RegExp, kind: 'latin' | 'han') => {
    const found = matchAt(pattern, text, index)
    return found ? [toName(text, { index, found, kind, isBackticked })] : []
  }
  return [...read(words, 'latin'), ...read(latin, 'latin'), ...read(han, 'han')]
}

interface Found {
  index: number
  found: RegExpExecArray
  kind: WrittenName['kind']
  isBackticked: boolean
}

function toName(text: string, { index, found, kind, isBackticked }: Found): WrittenName {
  const end = index + found[0].length
  const isMarked = matchAt(mark, text, end) !== null
  return { name: found[1] ?? found[0], start: index, end, kind, isBackticked, isMarked }
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index
  return pattern.exec(text)
}
