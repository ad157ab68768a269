import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@dataagent/guard'
import type { ToolDefinition } from '../client/contract.ts'
import { followNotices } from './follow-notices.ts'

export interface ToolListOptions {
  /** Asks the server. */
  list(): Promise<ToolDefinition[]>
  /** How long to wait before try n, after a notice, of those that failed one after the other. */
  delayBefore(n: number): number
  /** A list that a notice asked for has failed; it is tried again. */
  onFailure(error: unknown): void
  /** The server offers other tools, or the same in another order. */
  onChange(tools: ToolDefinition[]): void
  clock: Clock
}

/** The tools of a server as last heard, kept up to date by its notices. */
export interface ToolList {
  readonly current: readonly ToolDefinition[]
  /** Asks for the list. At most one request is under way and one waits behind it. */
  refresh(): Promise<readonly ToolDefinition[]>
  /** The server says that its tools have changed. */
  noticed(): void
  /** Follows no notice any more. */
  stop(): void
}

/** Of a longer list another order of keys counts as a change: comparing its values takes long. */
const comparedMax = 256 * 1024

/** Creates the list: empty until the first `refresh`, which is not told as a change. */
export function createToolList(options: ToolListOptions): ToolList {
  let current: ToolDefinition[] | undefined
  let currentHash: string | undefined
  let underWay: Promise<readonly ToolDefinition[]> | undefined
  let waiting: Promise<readonly ToolDefinition[]> | undefined
  const notices = followNotices({ ...options, run: refresh })

  return {
    get current() {
      return current ?? []
    },
    refresh,
    noticed: notices.noticed,
    stop: notices.stop,
  }

  function refresh(): Promise<readonly ToolDefinition[]> {
    if (underWay === undefined) return start()
    waiting ??= underWay.then(start, start)
    return waiting
  }

  function start(): Promise<readonly ToolDefinition[]> {
    waiting = undefined
    underWay = ask().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  async function ask(): Promise<readonly ToolDefinition[]> {
    const found = await options.list()
    const text = JSON.stringify(found)
    const foundHash = hash('sha256', text)
    if (foundHash === currentHash) return found
    if (text.length <= comparedMax && isDeepStrictEqual(found, current)) return found
    const isFirst = current === undefined
    current = found
    currentHash = foundHash
    if (!isFirst) options.onChange(found)
    return found
  }
}
