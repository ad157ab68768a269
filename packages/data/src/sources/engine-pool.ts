import { AppError } from '@dataagent/schema'
import type { Engine } from '../engines/index.ts'

/** Engines that are open, by source. One that was opened for an older edition is closed. */
export interface EnginePool extends AsyncDisposable {
  take(key: string, edition: number, open: () => Promise<Engine>): Promise<Engine>
  /** Ends what runs on it, too. */
  drop(key: string): Promise<void>
}

interface Held {
  edition: number
  engine: Promise<Engine>
}

/** An engine keeps no process or connection for long, so that many of them cost little. */
const maxHeld = 1_000

export function createEnginePool(): EnginePool {
  const held = new Map<string, Held>()
  let isClosed = false

  async function close({ engine }: Held): Promise<void> {
    const opened = await engine.catch(() => undefined)
    await opened?.[Symbol.asyncDispose]()
  }

  async function drop(key: string): Promise<void> {
    const one = held.get(key)
    held.delete(key)
    if (one) await close(one)
  }

  return {
    async take(key, edition, open) {
      if (isClosed) throw new AppError('unavailable', 'The sources are closed.')
      const known = held.get(key)
      if (known && known.edition >= edition) {
        held.delete(key)
        held.set(key, known)
        return known.engine
      }
      const one = { edition, engine: open() }
      held.set(key, one)
      one.engine.catch(() => held.get(key) === one && held.delete(key))
      if (known) await close(known)
      const [oldest] = held.keys()
      if (held.size > maxHeld && oldest !== undefined) await drop(oldest)
      return one.engine
    },
    drop,
    async [Symbol.asyncDispose]() {
      isClosed = true
      const all = [...held.values()]
      held.clear()
      await Promise.all(all.map(close))
    },
  }
}
