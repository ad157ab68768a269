import { isPlainObject } from '@dataagent/schema/base'
import type { Caller, ClientCapabilities, RpcRequest } from '../protocol/index.ts'

/** What is looked at, and with which parts. */
const looked: Readonly<Record<string, readonly string[]>> = {
  elicitation: ['form', 'url'],
  sampling: ['context', 'tools'],
  roots: ['listChanged'],
}
const longestName = 200

/** What a client says it can be asked: of whatever it sent, no more than is looked at is kept. */
export function toCapabilities(said: unknown): ClientCapabilities {
  if (!isPlainObject(said)) return {}
  const kept = Object.entries(looked).flatMap(([name, parts]) => {
    const value = said[name]
    return isPlainObject(value) ? [[name, toParts(value, parts)]] : []
  })
  return Object.fromEntries(kept)
}

function toParts(value: Record<string, unknown>, parts: readonly string[]) {
  const kept = parts.flatMap((part) => {
    if (isPlainObject(value[part])) return [[part, {}]]
    return value[part] === true ? [[part, true]] : []
  })
  return Object.fromEntries(kept)
}

export function clientOf({ params }: RpcRequest, { client }: Pick<Caller, 'client'>): string {
  const info = params?.clientInfo
  const isNamed = isPlainObject(info) && typeof info.name === 'string'
  return isNamed ? (info.name as string).slice(0, longestName) : client
}
