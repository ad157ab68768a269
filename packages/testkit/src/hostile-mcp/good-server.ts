import { once } from 'node:events'
import type { Message, Peer, Scene } from './mode.ts'
import { runTool } from './tools.ts'

const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
export const modernVersion = '2026-07-28'

const serverInfo = { name: 'hostile', version: '1.0.0' }
const capabilities = { tools: { listChanged: true }, logging: {} }

export interface Question {
  message: Message
  peer: Peer
  scene: Scene
  signal: AbortSignal
}

/** What a good server answers to a request, after it has done what was asked. */
export async function toAnswer(question: Question): Promise<Message> {
  const { message, scene } = question
  const isModern = scene.knobs.era === 'modern'
  const result = await (isModern ? modernResult(question) : legacyResult(question))
  if (result) return { jsonrpc: '2.0', id: message.id as number, result }
  const error = { code: -32601, message: `Method not found: ${message.method}` }
  return { jsonrpc: '2.0', id: message.id as number, error }
}

type Result = Record<string, unknown> | undefined

async function legacyResult(question: Question): Promise<Result> {
  const { method, params = {} } = question.message
  if (method === 'initialize') return { ...toVersion(params), capabilities, serverInfo }
  if (method === 'ping' || method === 'logging/setLevel') return {}
  return commonResult(question)
}

function toVersion({ protocolVersion: asked }: Record<string, unknown>) {
  const isKnown = legacyVersions.includes(String(asked))
  return { protocolVersion: isKnown ? asked : legacyVersions[0] }
}

async function modernResult(question: Question): Promise<Result> {
  const { method } = question.message
  const cache = { ttlMs: 0, cacheScope: 'private' }
  if (method === 'subscriptions/listen') return listen(question)
  if (method === 'server/discover') return toModern({ ...toDiscovery(), ...cache })
  const result = await commonResult(question)
  return result && toModern(method === 'tools/list' ? { ...result, ...cache } : result)
}

function toDiscovery() {
  return { supportedVersions: [modernVersion], capabilities }
}

function toModern(result: Record<string, unknown>) {
  const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo }
  return { resultType: 'complete', _meta, ...result }
}

async function commonResult({ message, peer, scene, signal }: Question): Promise<Result> {
  const { method, params = {} } = message
  if (method === 'tools/list') return { tools: scene.tools }
  if (method === 'tools/call') return runTool({ params, peer, scene, signal })
  return undefined
}

/** Stays open, telling what `scene` tells, until the client ends it. */
async function listen({ message, peer, scene, signal }: Question): Promise<Result> {
  const _meta = { 'io.modelcontextprotocol/subscriptionId': message.id }
  const tell = (notice: Message) =>
    void peer.notify({ ...notice, params: { ...notice.params, _meta } })
  const notifications = message.params?.notifications
  tell({
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications },
  })
  scene.listeners.add(tell)
  if (!signal.aborted) await once(signal, 'abort')
  scene.listeners.delete(tell)
  return toModern({ _meta })
}
