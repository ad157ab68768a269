/**
 * The prose of a reply, character for character where the reply has it: code, addresses and the
 * targets of links are blanks, and full-width digits are digits. Linear in the length.
 */
export function toProse(text: string): string {
  const prose = withoutInlineCode(withoutFences(text))
  return prose
    .replace(/https?:\/\/[^\s<>()（）[\]【】，。；]+/g, blank)
    .replace(/\]\([^()\n]*\)/g, (target) => `](${blank(target.slice(2, -1))})`)
    .replace(/[０-９．％￥]/g, (char) => narrow[char] ?? toDigit(char))
}

const narrow: Record<string, string> = { '．': '.', '％': '%', '￥': '¥' }

function toDigit(char: string): string {
  return String.fromCharCode(char.charCodeAt(0) - 0xff10 + 0x30)
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

/** A fence that is not closed reaches to the end, as it does where Markdown is shown. */
function withoutFences(text: string): string {
  let open: string | undefined
  return text
    .split('\n')
    .map((line) => {
      const fence = /^[ \t>]{0,12}(`{3,}|~{3,})/.exec(line)?.[1]
      if (open === undefined) {
        if (fence === undefined || (fence[0] === '`' && hasMore(line, fence))) return line
        open = fence
        return blank(line)
      }
      if (fence?.startsWith(open) && line.trimEnd().endsWith(fence)) open = undefined
      return blank(line)
    })
    .join('\n')
}

/** A line that goes on with backticks is code in a line, not a fence. */
function hasMore(line: string, fence: string): boolean {
  return line.includes('`', line.indexOf(fence) + fence.length)
}

/** Between runs of as many backticks, within a paragraph. */
function withoutInlineCode(text: string): string {
  const runs = [...text.matchAll(/`+|\n[ \t]*\n/g)].map(({ 0: mark, index }) => ({ mark, index }))
  /** For each run the next of the same length in its paragraph, found from the end. */
  const partners = new Array<number>(runs.length).fill(-1)
  let next = new Map<number, number>()
  for (let i = runs.length - 1; i >= 0; i--) {
    const { mark } = runs[i]!
    if (mark[0] === '\n') next = new Map()
    else {
      partners[i] = next.get(mark.length) ?? -1
      next.set(mark.length, i)
    }
  }
  let result = ''
  let done = 0
  for (let i = 0; i < runs.length; i++) {
    const partner = partners[i]!
    if (partner < 0) continue
    const end = runs[partner]!.index + runs[partner]!.mark.length
    result += text.slice(done, runs[i]!.index) + blank(text.slice(runs[i]!.index, end))
    done = end
    i = partner
  }
  return result + text.slice(done)
}
