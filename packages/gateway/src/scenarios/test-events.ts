/** Takes the text of an event stream apart as it comes. */
export function createParser() {
  const events: { event: string; data: string }[] = []
  const comments: string[] = []
  let rest = ''

  function takeBlock(block: string): string | undefined {
    const lines = block.split('\n')
    comments.push(...lines.filter((line) => line.startsWith(':')))
    const event = fieldOf(lines, 'event') ?? 'message'
    const data = fieldOf(lines, 'data')
    if (data === undefined) return undefined
    events.push({ event, data })
    return event === 'message' ? data : undefined
  }

  return {
    events,
    comments,
    /** Gives the data of the messages that are whole now. */
    take(text: string): string[] {
      const blocks = (rest + text).split('\n\n')
      rest = blocks.pop() ?? ''
      return blocks.map(takeBlock).filter((data) => data !== undefined)
    },
  }
}

function fieldOf(lines: string[], name: string): string | undefined {
  return lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
}
