import type { McpClient, McpError } from '@dataagent/mcp'
import { isMcpError } from '@dataagent/mcp'
import { closedError } from '../calls/errors.ts'
import { mostVerbose } from './log-levels.ts'

/** What a process wants to be told by a server beyond the answers to its calls. */
export interface Wishes {
  /** Resources whose changes are to be told. */
  uris: readonly string[]
  /** Log lines from this level on. */
  level?: string | undefined
}

/** A wish that the server does not grant: a resource, or `level`. */
export interface RefusedWish {
  wish: string
  error: McpError
}

export interface WishKeeperOptions {
  /** The client of now; throws while there is none. */
  client(): McpClient
  onLog(text: string): void
}

/** Makes the wishes of all processes known to one server, each of them once. */
export interface WishKeeper {
  /** In place of what `who` wanted before. Gives what of it is refused; rejects while not ready. */
  set(who: string, wishes: Wishes): Promise<RefusedWish[]>
  /** The connection was opened anew, and the server knows of nothing. */
  renew(): void
}

export function createWishKeeper({ client, onLog }: WishKeeperOptions): WishKeeper {
  const wished = new Map<string, Wishes>()
  let held = new Map<string, () => Promise<void>>()
  let heldLevel: string | undefined
  let heldBy: McpClient | undefined
  let queue: Promise<unknown> = Promise.resolve()

  return {
    async set(who, wishes) {
      if (wishes.uris.length > 0 || wishes.level !== undefined) wished.set(who, wishes)
      else if (!wished.delete(who)) return []
      const refused = await inTurn()
      return refused.filter(({ wish }) => wish === 'level' || wishes.uris.includes(wish))
    },
    renew() {
      if (wished.size === 0) return
      void inTurn().then(tellRefused, () => undefined)
    },
  }

  function tellRefused(refused: RefusedWish[]): void {
    for (const { wish } of refused) onLog(`no longer told by the server: ${wish}`)
  }

  function inTurn(): Promise<RefusedWish[]> {
    const turn = queue.then(apply)
    queue = turn.catch(() => undefined)
    return turn
  }

  async function apply(): Promise<RefusedWish[]> {
    const current = client()
    if (current !== heldBy) {
      held = new Map()
      heldLevel = undefined
      heldBy = current
    }
    const wanted = new Set([...wished.values()].flatMap(({ uris }) => uris))
    const added = [...wanted].filter((uri) => !held.has(uri))
    const left = [...held].filter(([uri]) => !wanted.has(uri))
    for (const [uri, takeBack] of left) {
      held.delete(uri)
      await takeBack().catch(() => undefined)
    }
    const refused: RefusedWish[] = []
    for (const uri of added) {
      await grant(refused, uri, async () => {
        held.set(uri, await current.subscribeResource(uri))
      })
    }
    const level = mostVerbose([...wished.values()].map((wishes) => wishes.level))
    if (level === undefined || level === heldLevel) return refused
    await grant(refused, 'level', async () => {
      await current.setLogLevel(level)
      heldLevel = level
    })
    return refused
  }

  async function grant(
    refused: RefusedWish[],
    wish: string,
    ask: () => Promise<void>,
  ): Promise<void> {
    try {
      await ask()
    } catch (cause) {
      const error = isMcpError(cause) ? cause : closedError(String(cause), false)
      refused.push({ wish, error })
    }
  }
}
