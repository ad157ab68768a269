import type { Transform } from 'node:stream'
import type { AppError } from '@dataagent/schema/base'
import type { Dispatcher } from 'undici'
import type { AnswerFlow, AnswerSink, RunningCall } from './contract.ts'
import { type DecoderFactory, findDecoder } from './decoder.ts'
import { toEgressError, upstreamFailed } from './egress-error.ts'
import { type ResponseHeaders, single } from './exchange.ts'

export interface RouteExchangeOptions {
  dispatcher: Dispatcher
  host: string
  request: Dispatcher.DispatchOptions
  sink: AnswerSink
}

/**
 * One request and its answer, handed to a sink piece by piece. Unlike `exchange` it makes no stream
 * and sets no timer: that is a third of what a small call costs.
 */
export class RouteExchange implements Dispatcher.DispatchHandler, RunningCall, AnswerFlow {
  sent = false
  readonly #host: string
  #sink: AnswerSink | undefined
  #wire: Dispatcher.DispatchController | undefined
  #createDecoder: DecoderFactory | undefined
  #decoder: Transform | undefined

  constructor({ dispatcher, host, request, sink }: RouteExchangeOptions) {
    this.#host = host
    this.#sink = sink
    try {
      dispatcher.dispatch(request, this)
    } catch (error) {
      this.#fail(toEgressError(host, error))
    }
  }

  stop(): void {
    this.#sink = undefined
    if (this.#wire !== undefined) this.#release(unwanted())
    else this.#decoder?.destroy()
  }

  pause(): void {
    if (this.#decoder === undefined) this.#wire?.pause()
    else this.#decoder.pause()
  }

  resume(): void {
    if (this.#decoder === undefined) this.#wire?.resume()
    else this.#decoder.resume()
  }

  onRequestStart(wire: Dispatcher.DispatchController): void {
    this.#wire = wire
    if (this.#sink === undefined) wire.abort(unwanted())
    else this.sent = true
  }

  onResponseStart(
    _wire: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHeaders,
  ): void {
    if (status < 200) return
    const decoder = findDecoder(single(headers['content-encoding']))
    if (decoder === null) {
      this.#fail(upstreamFailed(this.#host, 'used an unknown content encoding'))
      return
    }
    this.#createDecoder = decoder
    this.#sink?.begin({ status, headers }, this)
  }

  onResponseData(wire: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#createDecoder === undefined) {
      this.#sink?.data(chunk)
      return
    }
    this.#decoder ??= this.#startDecoder(this.#createDecoder(chunk))
    if (!this.#decoder.write(chunk)) wire.pause()
  }

  onResponseEnd(): void {
    this.#wire = undefined
    if (this.#decoder === undefined) this.#end()
    else this.#decoder.end()
  }

  onResponseError(_wire: Dispatcher.DispatchController, error: Error): void {
    this.#fail(toEgressError(this.#host, error))
  }

  #startDecoder(decoder: Transform): Transform {
    return decoder
      .on('data', (chunk: Buffer) => this.#sink?.data(chunk))
      .on('drain', () => this.#wire?.resume())
      .on('end', () => this.#end())
      .on('error', (error) =>
        this.#fail(upstreamFailed(this.#host, 'sent a body that cannot be decoded', error)),
      )
  }

  #end(): void {
    const sink = this.#sink
    this.#sink = undefined
    sink?.end()
  }

  #fail(error: AppError): void {
    const sink = this.#sink
    this.#sink = undefined
    this.#release(error)
    sink?.fail(error)
  }

  #release(reason: Error): void {
    this.#decoder?.destroy()
    this.#wire?.abort(reason)
    this.#wire = undefined
  }
}

function unwanted(): Error {
  return new Error('the caller no longer waits')
}
