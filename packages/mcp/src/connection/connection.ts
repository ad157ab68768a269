import { untilAborted } from '../until-aborted.ts'
import type { Connection, ConnectionOptions } from './contract.ts'
import { createKeeper } from './keeper.ts'
import type { Life } from './life.ts'
import { unreachableError } from './unreachable-error.ts'

/** Creates a connection. Nothing is opened before `open` or `reconnect`. */
export function createConnection(options: ConnectionOptions): Connection {
  const { name } = options
  const keeper = createKeeper(options)
  let opening: Promise<void> | undefined
  let closing: Promise<void> | undefined

  return {
    name,
    get state() {
      return keeper.state
    },
    get tools() {
      return keeper.life?.tools ?? []
    },
    open({ signal } = {}) {
      const { state } = keeper
      if (state.status === 'closed') return Promise.reject(unreachableError(name, state))
      opening ??= open(signal)
      return opening
    },
    client: () => living().client,
    async callTool(tool, args, given) {
      return await living().client.callTool(tool, args, given)
    },
    async refreshTools({ signal } = {}) {
      return await untilAborted(living().refreshTools(), { signal, mayHaveRun: false })
    },
    async reconnect({ signal } = {}) {
      await untilAborted(keeper.tryNow({ isLast: false }).done, { signal, mayHaveRun: false })
    },
    close,
    [Symbol.asyncDispose]: close,
  }

  function living(): Life {
    const { state, life } = keeper
    if (life === undefined) throw unreachableError(name, state)
    return life
  }

  async function open(signal: AbortSignal | undefined): Promise<void> {
    if (keeper.state.status === 'ready') return
    const { done, abort } = keeper.tryNow({ isLast: true })
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort)
    await done.finally(() => signal?.removeEventListener('abort', abort))
  }

  function close(): Promise<void> {
    closing ??= keeper.close()
    return closing
  }
}
