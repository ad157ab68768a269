import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Clock } from '@dataagent/guard'
import { commonHeaders } from './send.ts'

const beatMs = 15_000
/** What may wait for a client that does not read, before it is let go. */
const maxWaiting = 16 * 1024 * 1024
/** The same, before what a server tells meanwhile is left out: others' answers go this way, too. */
const maxNotices = 1024 * 1024
/** For so many heartbeats a client may take nothing of what waits for it. */
const maxStuckBeats = 4

/** A `notice` of a server may be left out: the client does without it. */
export type Sent = 'message' | 'notice' | 'endpoint'

export interface EventStream {
  /** JSON without line breaks, or the address of an endpoint. */
  send(text: string, what?: Sent): void
  end(): void
}

export interface EventStreamOptions {
  response: ServerResponse
  clock: Clock
  headers?: OutgoingHttpHeaders | undefined
  /** Called with every heartbeat. Must not throw. */
  onBeat?: (() => void) | undefined
}

/** Server-sent events; a comment every 15 s tells both ends that the other is there. */
export function openEventStream(options: EventStreamOptions): EventStream {
  const { response, clock, headers, onBeat } = options
  response.writeHead(200, {
    ...commonHeaders,
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    ...headers,
  })
  response.flushHeaders()
  let cancel = clock.after(beatMs, beat)
  response.on('close', () => cancel())
  let taken = 0
  let stuckBeats = 0

  function isStuck(): boolean {
    const { bytesWritten = 0, writableLength = 0 } = response.socket ?? {}
    const before = taken
    taken = bytesWritten - writableLength
    stuckBeats = writableLength > 0 && taken === before ? stuckBeats + 1 : 0
    return stuckBeats >= maxStuckBeats
  }

  function beat(): void {
    if (isStuck()) return void response.destroy()
    write(': beat\n\n')
    onBeat?.()
    cancel = clock.after(beatMs, beat)
  }

  function write(text: string): void {
    if (response.destroyed || response.writableEnded) return
    response.write(text)
    if (response.writableLength > maxWaiting) response.destroy()
  }

  return {
    send(text, what = 'message') {
      if (what === 'notice' && response.writableLength + text.length > maxNotices) return
      write(`event: ${what === 'endpoint' ? what : 'message'}\ndata: ${text}\n\n`)
    },
    end() {
      cancel()
      response.end()
    },
  }
}
