import type { OpenClientOptions, OpenedClient, ServerNotice } from '../client/contract.ts'
import { openClient } from '../client/open-client.ts'
import { untilAborted } from '../until-aborted.ts'
import { createLife, type Life, type LifeOptions } from './life.ts'
import { noteStart } from './note-start.ts'
import { type Step, stepError } from './step-error.ts'

export interface OpenLifeOptions
  extends LifeOptions,
    Omit<OpenClientOptions, 'clock' | 'onNotice' | 'onWarning' | 'onClose' | 'signal'> {
  name: string
  signal: AbortSignal
  onNotice(notice: ServerNotice): void
}

/**
 * Opens a server: start, initialize, list tools. Rejects with an McpError that names the server and
 * the step, and then leaves nothing behind.
 */
export async function openLife(options: OpenLifeOptions): Promise<Life> {
  const { signal } = options
  let step: Step = 'start'
  let life: Life | undefined
  /** What the requests of the opening failed with: one may be told after a later start. */
  const refusals = new Set<unknown>()
  try {
    const opened = await open()
    step = 'list tools'
    life = createLife(opened, options)
    await untilAborted(life.refreshTools(), { signal, mayHaveRun: false })
    return life
  } catch (error) {
    await life?.end()
    if (refusals.has(error)) step = 'initialize'
    throw stepError(error, { name: options.name, step })
  }

  function open(): Promise<OpenedClient> {
    return openClient({
      ...options,
      createTransport(way) {
        step = 'start'
        const transport = options.createTransport(way)
        return transport && noteStart(transport, { onStarted, onCall })
      },
      onNotice(notice) {
        options.onNotice(notice)
        if (notice.kind === 'tools_changed') life?.toolsChanged()
      },
      onClose: (error) => life?.gone(error),
    })
  }

  function onStarted(): void {
    step = 'initialize'
  }

  function onCall<T>(call: Promise<T>): Promise<T> {
    if (step === 'initialize') call.catch((error) => refusals.add(error))
    return call
  }
}
