import { createTurns } from '@dataagent/guard'
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

type TakeBack = () => Promise<void>

export function createWishKeeper({ client, onLog }: WishKeeperOptions): WishKeeper {
  const wished = new Map<string, Wishes>()
  let held = { by: undefined as McpClient | undefined, uris: new Map<string, TakeBack>() }
  let heldLevel: { by: McpClient; level: string } | undefined
  // A server may be slow to subscribe: its level does not wait for that.
  const inTurn = { level: createTurns(), uris: createTurns() }

  return {
    async set(who, wishes) {
      if (wishes.uris.length > 0 || wishes.level !== undefined) wished.set(who, wishes)
      else if (!wished.delete(who)) return []
      const refused = await applyAll()
      return refused.filter(({ wish }) => wish === 'level' || wishes.uris.includes(wish))
    },
    renew() {
      if (wished.size === 0) return
      void applyAll().then(tellRefused, () => undefined)
    },
  }

  function tellRefused(refused: RefusedWish[]): void {
    for (const { wish } of refused) onLog(`no longer told by the server: ${wish}`)
  }

  async function applyAll(): Promise<RefusedWish[]> {
    const both = [inTurn.level(applyLevel), inTurn.uris(applyUris)]
    return (await Promise.all(both)).flat()
  }

  async function applyLevel(): Promise<RefusedWish[]> {
    const by = client()
    const level = mostVerbose([...wished.values()].map((wishes) => wishes.level))
    const isHeld = heldLevel?.by === by && heldLevel.level === level
    if (level === undefined || isHeld) return []
    return await grant('level', async () => {
      await by.setLogLevel(level)
      heldLevel = { by, level }
    })
  }

  async function applyUris(): Promise<RefusedWish[]> {
    const by = client()
    if (by !== held.by) held = { by, uris: new Map() }
    const { uris } = held
    const wanted = new Set([...wished.values()].flatMap(({ uris }) => uris))
    const added = [...wanted].filter((uri) => !uris.has(uri))
    const left = [...uris].filter(([uri]) => !wanted.has(uri))
    for (const [uri, takeBack] of left) {
      uris.delete(uri)
      await takeBack().catch(() => undefined)
    }
    const refused: RefusedWish[] = []
    for (const uri of added) {
      const subscribe = async () => void uris.set(uri, await by.subscribeResource(uri))
      refused.push(...(await grant(uri, subscribe)))
    }
    return refused
  }

  async function grant(wish: string, ask: () => Promise<void>): Promise<RefusedWish[]> {
    try {
      await ask()
      return []
    } catch (cause) {
      const error = isMcpError(cause) ? cause : closedError(String(cause), false)
      return [{ wish, error }]
    }
  }
}
