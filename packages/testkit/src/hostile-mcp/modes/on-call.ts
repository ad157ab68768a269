import type { Exchange } from '../exchange.ts'
import type { Call, Mode, Scene } from '../mode.ts'

/** Answers tool calls so, once those that go well are over; all else as a good server does. */
export function onCall(act: (call: Call) => Promise<void>): NonNullable<Mode['answer']> {
  return (call) =>
    call.message.method === 'tools/call' && isOver(call.scene) ? act(call) : call.proceed()
}

/** Answers one method so, each time. */
export function onMethod(
  method: string,
  act: (call: Call) => Promise<void>,
): NonNullable<Mode['answer']> {
  return (call) => (call.message.method === method ? act(call) : call.proceed())
}

/** Deals so with the HTTP request that brings a tool call, once those that go well are over. */
export function onCallRequest(
  act: (exchange: Exchange, scene: Scene) => boolean | Promise<boolean>,
): NonNullable<Mode['request']> {
  return (exchange, scene) =>
    exchange.message?.method === 'tools/call' && isOver(scene) ? act(exchange, scene) : false
}

function isOver({ calls, knobs }: Scene): boolean {
  return calls > (knobs.after ?? 0)
}
