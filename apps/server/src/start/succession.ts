import type { Clock } from '@dataagent/guard'

/** Our messages share the channel with others': this field marks them. */
const mark = 'dataagentWorker'
const leave = { [mark]: 'leaving' }
const settled = { [mark]: 'settled' }

/** The parent's answer: another worker listens. */
export const mayLeave = { [mark]: 'go' }

/** What a worker is told that is not the first: the server was announced. */
export interface Joining {
  /** The port on which others listen: it joins them once it is ready. */
  others?: number | undefined
  /**
   * What it gives to `listen` instead of the configured port. Those that listen at one time must
   * all give the same, 0 too: by it they share one socket.
   */
  port?: number | undefined
  /** It takes the place of one that serves: where it does not get ready it ends. */
  onTrial?: boolean | undefined
}

/** Flags win over the environment's settings: the port has a variable that is no setting. */
const variables = {
  others: 'DATAAGENT_JOINS',
  port: 'DATAAGENT_LISTENS',
  onTrial: 'DATAAGENT_ON_TRIAL',
} as const

export function toJoining({ others, port, onTrial }: Joining): Record<string, string> {
  return {
    ...(others !== undefined && { [variables.others]: String(others) }),
    ...(port !== undefined && { [variables.port]: String(port) }),
    ...(onTrial && { [variables.onTrial]: '1' }),
  }
}

/** Takes it out of the environment. */
export function takeJoining(env: Record<string, string | undefined>): Joining {
  const take = (name: string) => {
    const port = env[name]
    delete env[name]
    return port === undefined ? undefined : Number(port)
  }
  const [others, port] = [take(variables.others), take(variables.port)]
  return { others, port, onTrial: take(variables.onTrial) !== undefined }
}

export function isSettled(message: unknown): boolean {
  return says(message, 'settled')
}

/** Tells the parent that this worker serves, and leaves in good order when it gets a SIGTERM. */
export function tellSettled(parent: NodeJS.Process): void {
  if (parent.connected) parent.send?.(settled)
}

export function isLeaving(message: unknown): boolean {
  return says(message, 'leaving')
}

/** Asks the parent for a successor; resolves when it may go, or has waited long enough. */
export function askToLeave(parent: NodeJS.Process, clock: Clock, patienceMs = 20_000) {
  return new Promise<void>((resolve) => {
    if (!parent.connected) return resolve()
    parent.on('message', (message) => {
      if (says(message, 'go')) resolve()
    })
    parent.once('disconnect', resolve)
    clock.after(patienceMs, resolve)
    parent.send?.(leave)
  })
}

function says(message: unknown, what: string): boolean {
  return (message as Record<string, unknown> | null)?.[mark] === what
}
