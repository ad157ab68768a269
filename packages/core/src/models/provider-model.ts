import { createMasker, type EgressRoute, systemClock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { AnswerDecoder } from './answer/answer-decoder.ts'
import { type AnswerLimits, AnswerStream } from './answer/answer-stream.ts'
import type { Answerer } from './answer/provider-error.ts'
import type { ModelPort, ModelRequest } from './contract.ts'
import type { ProviderOptions } from './provider-options.ts'

/** What is a provider's own. */
export interface Provider {
  name: string
  /** Behind the base URL. */
  path: string
  headers: Readonly<Record<string, string | undefined>>
  toBody(request: ModelRequest): Uint8Array
  createDecoder(answerer: Answerer, request: ModelRequest): AnswerDecoder
}

const defaultLimits: AnswerLimits = { idleMs: 120_000, totalMs: 30 * 60_000 }
const shownBody = 2_048

/** A model behind a provider's API. Throws `invalid_request` for an address that is none. */
export function createProviderModel(options: ProviderOptions, provider: Provider): ModelPort {
  const name = `${provider.name}:${options.model}`
  const limits = { ...defaultLimits, ...options.limits }
  const answerer = createAnswerer(name, options)
  const route = createRoute(options, provider)

  return {
    name,
    contextWindow: options.contextWindow ?? 128_000,
    callsTools: true,
    stream: (request, signal) => ({
      [Symbol.asyncIterator]() {
        const body = toBody(provider, request)
        return new AnswerStream({
          answerer,
          decoder: provider.createDecoder(answerer, request),
          limits,
          signal,
          send: (sink) => route.send({ method: 'POST', body }, sink),
        })
      },
    }),
  }
}

function createAnswerer(name: string, { apiKey, headers = {}, clock }: ProviderOptions): Answerer {
  const values = [...Object.values(headers), ...(apiKey === undefined ? [] : [apiKey.reveal()])]
  const masker = createMasker({ values, limits: { text: shownBody } })
  return { name, masker, clock: clock ?? systemClock }
}

function createRoute(options: ProviderOptions, { path, headers }: Provider): EgressRoute {
  const { egress, policy } = options
  return egress.createRoute(toUrl(options.baseUrl, path), {
    policy,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      'accept-encoding': 'identity',
      ...headers,
      ...options.headers,
    },
  })
}

function toUrl(baseUrl: string, path: string): URL {
  const url = URL.parse(baseUrl)
  if (url === null) throw new AppError('invalid_request', "The model's base URL is not a URL.")
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  return url
}

function toBody({ toBody }: Provider, request: ModelRequest): Uint8Array {
  try {
    return toBody(request)
  } catch (cause) {
    const message = 'The request to the model holds what JSON cannot say.'
    throw new AppError('invalid_request', message, { cause })
  }
}
