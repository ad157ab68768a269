import type { SentEvent } from '@dataagent/schema'
import type { FastifyReply } from 'fastify'
import { type Call, cutIdle } from '../deps/index.ts'
import type { Platform } from '../platform/index.ts'
import { type StartedRun, waitingMax } from '../runs/index.ts'

const heartbeatMs = 15_000

/** Sends a run's events as they come, as server-sent events, until its last one. */
export async function streamRun(
  { runs }: Platform,
  { reply, signal }: Call,
  { session_id, run }: { session_id: string; run: StartedRun },
): Promise<FastifyReply> {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...reply.getHeaders(),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-session-id': session_id,
  } as Record<string, string>)
  cutIdle(raw)
  const over = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => over.resolve(), { once: true })

  function onEvent(event: SentEvent): void {
    if (event.run_id !== run.run_id) return
    const isTooSlow = raw.writableLength > waitingMax
    if (!isTooSlow) raw.write(toFrame(event))
    if (isTooSlow || event.event_type === 'done') over.resolve()
  }

  const after = { seq: run.first_seq - 1, offset: 0 }
  const follower = runs.follow({ session_id, after, onEvent })
  const beat = setInterval(() => raw.write(': still here\n\n'), heartbeatMs)
  // A run that was left to another process ends here without its last event.
  run.ended.then(() => follower.caughtUp()).then(over.resolve, over.resolve)
  await over.promise
  clearInterval(beat)
  follower.close()
  raw.end()
  return reply
}

function toFrame(event: SentEvent): string {
  const offset = 'offset' in event ? `:${event.offset}` : ''
  return `id: ${event.seq}${offset}\nevent: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`
}
