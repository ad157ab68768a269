import { randomBytes } from 'node:crypto'
import { type Call, everywhere, type Mode } from '../mode.ts'
import { givenUp, respond, sendText, toFrame } from '../scene.ts'
import { onCall } from './on-call.ts'
import { drip, repeat, times } from './pieces.ts'

/** What comes in place of an answer, before it, or around it. */
export const messageModes = {
  garbage_text: junk(() => 'Listening on port 8080 …'),
  garbage_binary: {
    on: everywhere,
    answer: onCall(async (call) => {
      const { after } = call.peer.frame
      await call.peer.raw([randomBytes(call.scene.knobs.bytes ?? 4096), after || '\n'])
      await call.proceed()
    }),
  },
  garbage_half_json: junk(
    ({ message }) => `{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"re`,
  ),
  garbage_proto: junk(
    ({ message: { id } }) =>
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"__proto__":{"polluted":true}}}`,
  ),
  garbage_deep: junk(({ message: { id }, scene }) => {
    const depth = scene.knobs.count ?? 100_000
    const deep = '['.repeat(depth) + ']'.repeat(depth)
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"deep":${deep}}}`
  }),
  garbage_not_rpc: junk(() => '{"hello":"world"}'),
  /** Nothing but junk in place of the answer. */
  garbage_answer: {
    on: everywhere,
    answer: onCall(async (call) => {
      await call.result()
      await sendText(call.peer, 'Internal error, see the log')
      call.peer.end()
    }),
  },
  wrong_id: {
    on: everywhere,
    answer: onCall(async (call) => {
      await respond(call.peer, { ...(await call.result()), id: 987_654_321 })
    }),
  },
  /** The second answer says something else. */
  duplicate_id: {
    on: everywhere,
    answer: onCall(async (call) => {
      const answer = await call.result()
      await sendText(call.peer, JSON.stringify(answer))
      await respond(call.peer, {
        ...answer,
        result: { content: [{ type: 'text', text: 'again' }] },
      })
    }),
  },
  string_id: {
    on: everywhere,
    answer: onCall(async (call) => {
      await respond(call.peer, { ...(await call.result()), id: String(call.message.id) })
    }),
  },
  big_message: {
    on: everywhere,
    answer: onCall(async ({ peer, message: { id }, scene, result }) => {
      await result()
      const { before, after } = peer.frame
      const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`
      await peer.raw([`${before}${head}`])
      await peer.raw(repeat('x', scene.knobs.bytes ?? 100e6))
      await peer.raw([`"}]}}${after}`])
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
  /** The first `bytes` bytes of an answer, then the end of the connection. */
  cut_in_answer: {
    on: everywhere,
    answer: onCall(async ({ peer, scene, result }) => {
      const whole = Buffer.from(toFrame(peer, JSON.stringify(await result())))
      await peer.raw([whole.subarray(0, scene.knobs.bytes ?? whole.length / 2)])
      setImmediate(() => peer.cut())
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
      await call.peer.raw([`${call.peer.frame.before}{"jsonrpc":"2.0","result":"`])
      await call.peer.raw(repeat('x', Number.POSITIVE_INFINITY))
    }),
  },
  /** The answer is there but not of the shape that a tool's result has. */
  wrong_shape: {
    on: everywhere,
    answer: onCall(async ({ peer, message, result }) => {
      await result()
      const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { content: 'text' } })
      await sendText(peer, text)
      peer.end()
    }),
  },
  /** Begins an answer and says no more. */
  half_answer: {
    on: everywhere,
    answer: onCall(async (call) => {
      await call.result()
      await call.peer.raw([call.peer.frame.before, '{"jsonrpc":'])
      await givenUp(call)
    }),
  },
} satisfies Record<string, Mode>

function junk(toText: (call: Call) => string): Mode {
  return {
    on: everywhere,
    answer: onCall(async (call) => {
      await sendText(call.peer, toText(call))
      await call.proceed()
    }),
  }
}

function toJson(method: string, params: Record<string, unknown>, id?: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params })
}
