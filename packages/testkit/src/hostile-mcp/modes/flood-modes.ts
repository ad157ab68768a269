import { everywhere, type Mode } from '../mode.ts'
import { toFrame } from '../scene.ts'
import { createFuzz } from './fuzz.ts'
import { onCall } from './on-call.ts'
import { around, drip, repeat, times } from './pieces.ts'

/** Too much, too many, too slowly. */
export const floodModes = {
  big_message: {
    on: everywhere,
    answer: onCall(async ({ peer, message: { id }, scene, result }) => {
      await result()
      const part = { type: 'text', text: '|' }
      const text = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [part] } })
      const [head = '', tail = ''] = toFrame(peer, text).split('|')
      await peer.raw(around(head, repeat('x', scene.knobs.bytes ?? 100e6), tail))
      peer.end()
    }),
  },
  drip: {
    on: everywhere,
    answer: onCall(async ({ peer, signal, scene, result }) => {
      const text = toFrame(peer, JSON.stringify(await result()))
      await peer.raw(drip(text, { ms: scene.knobs.ms ?? 100, signal }))
      peer.end()
    }),
  },
  notification_flood: {
    on: everywhere,
    answer: onCall(async (call) => {
      const params = { level: 'info', data: 'x'.repeat(100) }
      const text = toFrame(call.peer, toJson('notifications/message', params))
      await call.peer.raw(times(call.scene.knobs.count ?? 10_000, () => text))
      await call.proceed()
    }),
  },
  /** Asks the client's model, over and over, while it should be answering. */
  request_flood: {
    on: everywhere,
    answer: onCall(async (call) => {
      const message = { role: 'user', content: { type: 'text', text: 'Go on' } }
      const params = { messages: [message], maxTokens: 1 }
      const toText = (index: number) =>
        toFrame(call.peer, toJson('sampling/createMessage', params, `ask-${index}`))
      await call.peer.raw(times(call.scene.knobs.count ?? 1_000, toText))
      await call.proceed()
    }),
  },
  /** A frame that never ends, as fast as the client takes it. */
  endless_message: {
    on: everywhere,
    answer: onCall(async (call) => {
      await call.result()
      const head = `${call.peer.frame.before}{"jsonrpc":"2.0","result":"`
      await call.peer.raw(around(head, repeat('x', Number.POSITIVE_INFINITY), ''))
    }),
  },
  /** A flood of messages that are almost right. */
  fuzz: {
    on: everywhere,
    answer: onCall(async (call) => {
      const toText = createFuzz(call.scene.calls)
      const { count = 1_000 } = call.scene.knobs
      await call.peer.raw(times(count, () => toFrame(call.peer, toText())))
      await call.proceed()
    }),
  },
} satisfies Record<string, Mode>

function toJson(method: string, params: Record<string, unknown>, id?: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}
