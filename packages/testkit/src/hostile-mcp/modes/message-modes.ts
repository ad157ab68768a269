import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, everywhere, type Mode } from '../mode.ts'
import { givenUp, respond, sendText, toFrame } from '../scene.ts'
import { onCall } from './on-call.ts'

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
  /** The first `bytes` bytes of an answer, then the end of the connection. */
  cut_in_answer: {
    on: everywhere,
    answer: onCall(async ({ peer, scene, result }) => {
      const whole = Buffer.from(toFrame(peer, JSON.stringify(await result())))
      await peer.raw([whole.subarray(0, scene.knobs.bytes ?? whole.length / 2)])
      setImmediate(() => peer.cut())
    }),
  },
  /** Answers to calls under way at once come in any order but that of asking. */
  shuffled: {
    on: everywhere,
    answer: onCall(async (call) => {
      await sleep(Math.random() * (call.scene.knobs.ms ?? 20))
      await call.proceed()
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
