/** Takes text/event-stream in pieces and gives the `data` of each event that is complete. */
export function createEventStreamReader(): (piece: string) => string[] {
  let rest = ''
  let data: string[] = []

  return (piece) => {
    // A CR that ends a piece may be half a line break.
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    return lines.flatMap((line) => {
      if (line !== '') {
        const value = /^data(?:: ?(.*))?$/s.exec(line)
        if (value) data.push(value[1] ?? '')
        return []
      }
      const event = data.join('\n')
      data = []
      return event === '' ? [] : [event]
    })
  }
}

/** The pieces of text that a body comes in. */
export async function* readPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read())
      yield decoder.decode(read.value, { stream: true })
  } finally {
    await reader.cancel().catch(() => {})
  }
}
