import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { anthropicWire } from './anthropic-wire.ts'
import { defaultReply } from './default-reply.ts'
import { type Knobs, parseKnobs } from './knobs.ts'
import { openaiWire } from './openai-wire.ts'
import { refuseByKnobs, refuseKey, unknownModel, unknownUrl } from './refusals.ts'
import { type Reply, toAnswer } from './reply.ts'
import type { ModelRequest, RecordedRequest } from './request.ts'
import { createPlayer, type Script } from './script.ts'
import { send, sendAnswer } from './send-answer.ts'
import { asObject, isRefusal, type Refusal, type Wire } from './wire.ts'

/** A key with a script and a record of its own, so that tests sharing a stand-in do not meet. */
export interface StandInKey {
  apiKey: string
  /** Replaces the script. Without one the stand-in echoes, or does as the model's name says. */
  script(script: Script): void
  /** What was asked with this key, oldest first. */
  readonly requests: readonly RecordedRequest[]
}

/** A model provider over HTTP that says what it is told to say. */
export interface ModelStandIn extends AsyncDisposable {
  /** The base of both APIs: `<url>/v1/chat/completions`, `<url>/v1/messages`, `<url>/v1/models`. */
  readonly url: string
  readonly port: number
  /** Accepted like any other key that does not hold the word "invalid". */
  readonly apiKey: string
  /** Sets the script for all keys that have none of their own. */
  script(script: Script): void
  /** All that was asked, oldest first, up to `recordLimit`. */
  readonly requests: readonly RecordedRequest[]
  createKey(): StandInKey
  /** How many requests are being answered now. */
  active(): number
}

export interface StartModelStandInOptions {
  script?: Script
  /** What `GET /v1/models` lists; any model is answered all the same. */
  models?: string[]
  /** How many requests are kept, of each key and of all; default 1000. 0 for load. */
  recordLimit?: number
  port?: number
}

type Player = ReturnType<typeof createPlayer>

interface KeyState {
  player: Player | undefined
  requests: RecordedRequest[]
  count: number
}

const largestBody = 32 * 1024 * 1024

/** Starts a stand-in on loopback. */
export async function startModelStandIn(
  options: StartModelStandInOptions = {},
): Promise<ModelStandIn> {
  const { models = ['standin', 'standin-tools1'], recordLimit = 1_000 } = options
  const keys = new Map<string, KeyState>()
  const requests: RecordedRequest[] = []
  const apiKey = `sk-standin-${randomUUID()}`
  let player = options.script && createPlayer(options.script)
  let active = 0

  const server = createServer((request, response) => {
    active++
    response.once('close', () => active--)
    void handle(request, response)
  })

  async function handle(incoming: IncomingMessage, response: ServerResponse) {
    const path = incoming.url?.split('?')[0] ?? ''
    const wire = wireFor(path, incoming)
    try {
      const key = wire.apiKey(incoming.headers)
      const refusal = refuseKey(key)
      if (refusal) return send(response, wire.refuse(refusal))
      if (path.startsWith('/v1/models')) return sendModels(wire, path, response)
      const isKnown = ['/v1/chat/completions', '/v1/messages'].includes(path)
      if (!isKnown || incoming.method !== 'POST') {
        return send(response, wire.refuse(unknownUrl(incoming.method, path)))
      }
      await converse(wire, incoming, response, key as string)
    } catch (error) {
      if (!response.headersSent) send(response, wire.refuse({ error: 500, message: String(error) }))
      else response.destroy()
    }
  }

  function sendModels(wire: Wire, path: string, response: ServerResponse) {
    const id = path.slice('/v1/models/'.length)
    if (id === '') return send(response, { status: 200, headers: {}, body: wire.models(models) })
    if (!models.includes(id)) return send(response, wire.refuse({ error: 404 }))
    const [body] = wire.models([id]).data as Record<string, unknown>[]
    return send(response, { status: 200, headers: {}, body: body ?? {} })
  }

  async function converse(
    wire: Wire,
    incoming: IncomingMessage,
    response: ServerResponse,
    key: string,
  ) {
    const parsed = await readRequest(wire, incoming)
    if (isRefusal(parsed)) return send(response, wire.refuse(parsed))
    const knobs = parseKnobs(parsed.model)
    if (!knobs) return send(response, wire.refuse(unknownModel(parsed.model)))
    const recorded = record(parsed, knobs, incoming, key)
    const reply = refuseByKnobs(recorded) ?? (await replyTo(recorded))
    if (typeof reply === 'object' && 'error' in reply) {
      recorded.outcome = 'refused'
      return send(response, wire.refuse({ retryAfter: knobs.retry, ...reply }))
    }
    const message = typeof reply === 'string' ? { text: reply } : reply
    recorded.outcome = await sendAnswer(wire, response, parsed, toAnswer(parsed, knobs, message))
  }

  function record(
    parsed: ModelRequest,
    knobs: Knobs,
    incoming: IncomingMessage,
    apiKey: string,
  ): RecordedRequest {
    const state = stateOf(apiKey)
    const headers = incoming.headers as Record<string, string>
    const number = ++state.count
    const recorded: RecordedRequest = { ...parsed, apiKey, headers, knobs, number, outcome: 'open' }
    for (const list of [requests, state.requests]) {
      list.push(recorded)
      if (list.length > recordLimit) list.shift()
    }
    return recorded
  }

  async function replyTo(request: RecordedRequest): Promise<Reply> {
    const own = keys.get(request.apiKey)?.player ?? player
    return own ? own(request) : defaultReply(request, request.knobs)
  }

  function stateOf(key: string): KeyState {
    const found = keys.get(key)
    if (found) return found
    const made = { player: undefined, requests: [], count: 0 }
    keys.set(key, made)
    return made
  }

  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    apiKey,
    requests,
    active: () => active,
    script(script) {
      player = createPlayer(script)
    },
    createKey() {
      const own = `sk-standin-${randomUUID()}`
      const state = stateOf(own)
      return {
        apiKey: own,
        requests: state.requests,
        script(script) {
          state.player = createPlayer(script)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function wireFor(path: string, { headers }: IncomingMessage): Wire {
  const isAnthropic = path.startsWith('/v1/messages') || 'anthropic-version' in headers
  return isAnthropic ? anthropicWire : openaiWire
}

async function readRequest(wire: Wire, incoming: IncomingMessage): Promise<ModelRequest | Refusal> {
  if (Number(incoming.headers['content-length'] ?? 0) > largestBody) {
    incoming.resume()
    return { error: 413, message: 'Request exceeds the maximum size' }
  }
  const body = parseJson(await text(incoming))
  if (body === undefined) {
    return { error: 400, message: 'We could not parse the JSON body of your request.' }
  }
  return wire.parse(asObject(body), incoming.headers)
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
