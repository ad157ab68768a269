import type { ServerResponse } from 'node:http'
import type { Knobs, Message, Peer, Pieces } from './mode.ts'
import { createWriter, writeAll } from './write-all.ts'

const eventFrame = { before: 'event: message\ndata: ', after: '\n\n' }

/** The head of a stream of events. */
export function openEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.flushHeaders()
}

/** Answers all messages of a session on its event stream, which goes on after each. */
export function createStreamPeer(session: string, stream: ServerResponse): Peer {
  const raw = createWriter(stream)
  return {
    session,
    frame: eventFrame,
    raw,
    notify: (message) => raw([toEvent(message)]),
    end() {},
    cut: () => void stream.socket?.resetAndDestroy(),
  }
}

/** Answers a message in the response to the POST that brought it. */
export function createPostPeer(
  session: string,
  response: ServerResponse,
  kind: NonNullable<Knobs['reply']>,
): Peer {
  async function raw(pieces: Pieces): Promise<void> {
    if (!response.headersSent) open()
    await writeAll(response, pieces)
  }

  function open(): void {
    if (kind === 'sse') openEvents(response)
    else response.writeHead(200, { 'content-type': 'application/json' })
  }

  return {
    session,
    frame: kind === 'sse' ? eventFrame : { before: '', after: '' },
    raw,
    async notify(message) {
      if (kind === 'sse') await raw([toEvent(message)])
    },
    end() {
      if (!response.headersSent) response.writeHead(202)
      response.end()
    },
    cut: () => void response.socket?.resetAndDestroy(),
  }
}

export function toEvent(message: Message): string {
  return `${eventFrame.before}${JSON.stringify(message)}${eventFrame.after}`
}
