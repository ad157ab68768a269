import type { Exchange } from '../exchange.ts'
import type { Call, Message, Mode, Scene } from '../mode.ts'

/** Answers the tool calls so that are to go ill; all else as a good server does. */
export function onCall(act: (call: Call) => Promise<void>): NonNullable<Mode['answer']> {
  return (call) => (isDue(call.message, call.scene) ? act(call) : call.proceed())
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
  return (exchange, scene) => (isDue(exchange.message, scene) ? act(exchange, scene) : false)
}

/** Whether it is a tool call that is to go ill. */
export function isDue(message: Message | undefined, { calls, knobs }: Scene): boolean {
  const { after = 0, times = Number.POSITIVE_INFINITY } = knobs
  return message?.method === 'tools/call' && calls > after && calls <= after + times
}
