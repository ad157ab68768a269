import type { MessageHandler } from './kv.ts'

export interface Subscriber {
  handler: MessageHandler
  onGap?: (() => void) | undefined
}

/** Who listens to what in this process, each guarded from the others' failures. */
export interface Channels {
  add(channel: string, subscriber: Subscriber): void
  /** Whether the channel has no subscriber left. */
  remove(channel: string, subscriber: Subscriber): boolean
  deliver(channel: string, text: string): void
  /** Tells all of `channels` that messages may have been missed. */
  gap(channels: string[]): void
  names(): string[]
}

export type ReportError = (error: unknown) => void

export const warnOfError: ReportError = (error) =>
  process.emitWarning(`A message handler failed: ${error instanceof Error ? error.stack : error}`)

export function createChannels(onHandlerError: ReportError): Channels {
  const channels = new Map<string, Set<Subscriber>>()

  async function guard(run: () => void | Promise<void>): Promise<void> {
    try {
      await run()
    } catch (error) {
      onHandlerError(error)
    }
  }

  function each(channel: string, run: (subscriber: Subscriber) => void | Promise<void>): void {
    const present = channels.get(channel)
    for (const subscriber of [...(present ?? [])]) {
      if (present?.has(subscriber)) void guard(() => run(subscriber))
    }
  }

  return {
    add(channel, subscriber) {
      const present = channels.get(channel)
      if (present) present.add(subscriber)
      else channels.set(channel, new Set([subscriber]))
    },
    remove(channel, subscriber) {
      const present = channels.get(channel)
      present?.delete(subscriber)
      if (present?.size) return false
      return channels.delete(channel)
    },
    deliver: (channel, text) => each(channel, (subscriber) => subscriber.handler(text)),
    gap(names) {
      for (const name of names) each(name, (subscriber) => subscriber.onGap?.())
    },
    names: () => [...channels.keys()],
  }
}
