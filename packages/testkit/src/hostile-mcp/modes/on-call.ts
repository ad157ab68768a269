import type { Exchange } from '../exchange.ts'
import type { Call, Mode, Scene } from '../mode.ts'

/** Answers the tool calls so that are to go ill; all else as a good server does. */
export function onCall(act: (call: Call) => Promise<void>): NonNullable<Mode['answer']> {
  return (call) =>
    call.message.method === 'tools/call' && isDue(call.scene) ? act(call) : call.proceed()
}

/** Answers one method so, each time. */
export function onMethod(
  method: string,
  act: (call: Call) => Promise<void>,
): NonNullable<Mode['answer']> {
  return (call) => (call.message.method === method ? act(call) : call.proceed())
}

/** Deals so with the HTTP request that brings a tool call that is to go ill. */
export function onCallRequest(
  act: (exchange: Exchange, scene: Scene) => boolean | Promise<boolean>,
): NonNullable<Mode['request']> {
  return (exchange, scene) =>
    exchange.message?.method === 'tools/call' && isDue(scene) ? act(exchange, scene) : false
}

function isDue({ calls, knobs }: Scene): boolean {
  const { after = 0, times = Number.POSITIVE_INFINITY } = knobs
  return calls > after && calls <= after + times
}
