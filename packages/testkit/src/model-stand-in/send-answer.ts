import type { ServerResponse } from 'node:http'
import { setImmediate as nextLoop } from 'node:timers/promises'
import { wait, writePaced } from './paced-stream.ts'
import type { Answer } from './reply.ts'
import type { ModelRequest, RecordedRequest } from './request.ts'
import type { HttpAnswer, Wire } from './wire.ts'

/** Sends a JSON body whole. */
export function send(response: ServerResponse, { status, headers, body }: HttpAnswer): void {
  const json = JSON.stringify(body)
  const length = Buffer.byteLength(json)
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    'content-length': length,
  })
  response.end(json)
}

/** Sends an answer as the request wants it, streamed or whole, and says how that ended. */
export async function sendAnswer(
  wire: Wire,
  response: ServerResponse,
  request: ModelRequest,
  answer: Answer,
): Promise<RecordedRequest['outcome']> {
  if (!request.stream) return sendWhole(wire, response, request, answer)
  response.writeHead(200, { ...wire.streamHeaders(), 'cache-control': 'no-cache' })
  response.flushHeaders()
  const stopAfter = answer.cut ?? answer.break ?? Number.POSITIVE_INFINITY
  const frames = wire.frames(request, answer)
  const end = await writePaced(response, frames, { ttft: answer.ttft, itl: answer.itl, stopAfter })
  if (end === 'disconnected') return end
  if (end === 'complete') {
    response.end()
    return end
  }
  if (answer.cut === undefined) response.end(wire.brokenFrame())
  else await destroyWhenWritten(response)
  return 'cut'
}

async function sendWhole(
  wire: Wire,
  response: ServerResponse,
  request: ModelRequest,
  answer: Answer,
): Promise<RecordedRequest['outcome']> {
  await wait(response, answer.ttft + answer.itl * answer.outputTokens)
  if (response.destroyed) return 'disconnected'
  if (answer.cut !== undefined) {
    response.destroy()
    return 'cut'
  }
  if (answer.break !== undefined) send(response, wire.refuse({ error: 500 }))
  else send(response, wire.whole(request, answer))
  return 'complete'
}

/** Node holds writes back until the next turn of its loop. */
async function destroyWhenWritten(response: ServerResponse): Promise<void> {
  await nextLoop()
  response.destroy()
}
