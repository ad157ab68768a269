import type { Readable } from 'node:stream'

export interface SseEvent {
  event: string
  data: string
}

/**
 * Events as httpx-sse reads them, and not as the standard has it: an event may have no data, and
 * once there was an `id:` every empty line is a `message` event, the one after a comment too.
 */
export async function* readSseEvents(body: Readable): AsyncGenerator<SseEvent> {
  const block = createBlock()
  for await (const line of readLines(body)) {
    const event = block.take(line)
    if (event) yield event
  }
}

function createBlock() {
  let event = ''
  let data: string[] = []
  let lastId = ''
  let hasRetry = false

  function end(): SseEvent | undefined {
    if (event === '' && data.length === 0 && lastId === '' && !hasRetry) return undefined
    const ended = { event: event || 'message', data: data.join('\n') }
    event = ''
    data = []
    hasRetry = false
    return ended
  }

  function take(line: string): SseEvent | undefined {
    if (line === '') return end()
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'event') event = value
    if (name === 'data') data.push(value)
    if (name === 'id' && !value.includes('\0')) lastId = value
    if (name === 'retry' && /^\d+$/.test(value)) hasRetry = true
    return undefined
  }

  return { take }
}

async function* readLines(body: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    rest += decoder.decode(chunk as Buffer, { stream: true })
    // A CR at the end may be the first half of a line's end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop()!
    yield* lines
  }
  if (rest !== '') yield rest.replace(/\r$/, '')
}
