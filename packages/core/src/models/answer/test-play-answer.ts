import {
  type AnswerFlow,
  type AnswerSink,
  type Clock,
  createMasker,
  systemClock,
} from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import { createAnthropicDecoder } from '../anthropic/anthropic-answer.ts'
import type { ModelDelta, ModelMessage } from '../contract.ts'
import { createOpenAiDecoder } from '../openai/openai-answer.ts'
import type { WireName } from '../test-wires.ts'
import { AnswerStream } from './answer-stream.ts'

export interface PlayOptions {
  wire?: WireName
  type?: string
  status?: number
  headers?: Record<string, string>
  /** How it goes on behind the pieces: the body ends, the socket breaks, nothing comes. */
  ends?: 'end' | 'cut' | 'never'
  messages?: readonly ModelMessage[]
  clock?: Clock
  signal?: AbortSignal
  flow?: AnswerFlow
  /** Called when the answer is no longer wanted. */
  onStop?: () => void
}

const free: AnswerFlow = { pause() {}, resume() {} }

/** An answer of these pieces, as if they came off a socket, each by itself. */
export function playAnswer(
  pieces: Iterable<string | Buffer>,
  options: PlayOptions = {},
): AsyncIterable<readonly ModelDelta[]> & { stream: AnswerStream } {
  const { wire = 'openai', messages = [], clock = systemClock, signal } = options
  const answerer = { name: `${wire}:test`, masker: createMasker(), clock }
  const decoder =
    wire === 'openai'
      ? createOpenAiDecoder({ answerer, messages })
      : createAnthropicDecoder({ answerer, messages })
  const stream = new AnswerStream({
    answerer,
    decoder,
    limits: { idleMs: 10_000, totalMs: 60_000 },
    signal,
    send(sink) {
      let isStopped = false
      queueMicrotask(() => play(sink, () => isStopped))
      return {
        sent: true,
        stop() {
          isStopped = true
          options.onStop?.()
        },
      }
    },
  })
  return { stream, [Symbol.asyncIterator]: () => stream }

  function play(sink: AnswerSink, isStopped: () => boolean): void {
    const { type = 'text/event-stream', status = 200, ends = 'end' } = options
    sink.begin(
      { status, headers: { 'content-type': type, ...options.headers } },
      options.flow ?? free,
    )
    for (const piece of pieces) {
      if (isStopped()) return
      sink.data(Buffer.from(piece as string))
    }
    if (isStopped() || ends === 'never') return
    if (ends === 'end') sink.end()
    else sink.fail(new AppError('upstream_failed', 'test cut the connection.'))
  }
}

/** Events of a chat completion, one for each delta, with the usual ending. */
export function openAiEvents(deltas: readonly object[], finish: string | null = 'stop'): string[] {
  const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
  const chunk = (delta: object, finish_reason: string | null = null) =>
    event({ id: 'chatcmpl-1', choices: [{ index: 0, delta, finish_reason }] })
  return [
    ...deltas.map((delta) => chunk(delta)),
    ...(finish === null ? [] : [chunk({}, finish)]),
    event({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } }),
    'data: [DONE]\n\n',
  ]
}

/** Events of a message with these blocks: each its beginning and the deltas that follow. */
export function anthropicEvents(
  blocks: readonly { start: object; deltas?: readonly object[] }[],
  stop_reason = 'end_turn',
): string[] {
  const event = (value: { type: string }) =>
    `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 3,
    cache_read_input_tokens: 100,
    output_tokens: 1,
  }
  const of = (
    index: number,
    { start, deltas = [] }: { start: object; deltas?: readonly object[] },
  ) =>
    [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ] as { type: string }[]
  const all: { type: string }[] = [
    { type: 'message_start', message: { usage } } as { type: string },
    { type: 'ping' },
    ...blocks.flatMap((block, index) => of(index, block)),
    { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 7 } } as {
      type: string
    },
    { type: 'message_stop' },
  ]
  return all.map(event)
}
