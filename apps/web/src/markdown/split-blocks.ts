/** A part of a text, and where in it that begins. */
export interface TextBlock {
  from: number
  text: string
}

/**
 * Parts Markdown into blocks that can be shown one by one: what was written stays as it is while
 * the last block grows. A block ends at an empty line that is not within a fence.
 */
export function splitBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = []
  let lines: string[] = []
  let fence: string | undefined
  let at = 0

  const end = () => {
    if (lines.length > 0) {
      const block = lines.join('\n')
      blocks.push({ from: at - block.length - 1, text: block })
    }
    lines = []
  }

  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    const isEnd = fence === undefined && line.trim() === ''
    if (isEnd) end()
    else {
      if (fence === undefined) fence = mark
      else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined
      lines.push(line)
    }
    at += line.length + 1
  }
  end()
  return joinLists(text, blocks)
}

/** Items of a list, and what belongs to them, stay together. */
function joinLists(text: string, blocks: readonly TextBlock[]): TextBlock[] {
  const joined: TextBlock[] = []
  for (const block of blocks) {
    const last = joined.at(-1)
    const isInner = /^(?: {2,}|\t)/.test(block.text)
    if (last && isList(last.text) && (isInner || isList(block.text))) {
      last.text = text.slice(last.from, block.from + block.text.length)
    } else joined.push({ ...block })
  }
  return joined
}

function isList(block: string): boolean {
  return /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/.test(block)
}
