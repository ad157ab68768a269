import type { Clock } from '@dataagent/guard'
import type { Catalogue, Observed } from '../catalogue/index.ts'

export interface ServerPlace {
  tenant_id: string
  server_id: string
}

export interface CatalogueTellerOptions {
  observe: Catalogue['observe']
  clock: Clock
  /** Once, until the catalogue has taken something over again. */
  onFailure(place: ServerPlace, text: string): void
}

/** Tells the catalogue what servers offer, again where it could not take it over. */
export interface CatalogueTeller {
  /** Begins at once; settles after the first try, however that ends. Never rejects. */
  tell(place: ServerPlace, seen: Observed): Promise<void>
  /** Settles when the catalogue has the last news of that server; rejects with why it has not. */
  untilTaken(place: ServerPlace): Promise<void>
  close(): void
}

const firstMs = 1_000
const maxMs = 60_000

export function createCatalogueTeller(options: CatalogueTellerOptions): CatalogueTeller {
  const { observe, clock, onFailure } = options
  /** What is still to be told of each server; newer news take its place. */
  const retries = new Map<string, () => void>()
  /** The last news of each server that the catalogue does not have yet. */
  const untaken = new Map<string, Promise<void>>()
  const failing = new Set<string>()
  let isClosed = false

  return {
    async tell({ tenant_id, server_id }, seen) {
      const place = { tenant_id, server_id }
      const name = toName(place)
      retries.get(name)?.()
      retries.delete(name)
      await attempt(place, seen, firstMs)
    },
    async untilTaken(place) {
      const name = toName(place)
      for (let last = untaken.get(name); last; last = untaken.get(name)) {
        await last.catch((error) => {
          // Newer news may have come meanwhile.
          if (untaken.get(name) === last) throw error
        })
      }
    },
    close() {
      isClosed = true
      for (const cancel of retries.values()) cancel()
      retries.clear()
    },
  }

  async function attempt(place: ServerPlace, seen: Observed, pauseMs: number): Promise<void> {
    const name = toName(place)
    const mark = () => undefined
    retries.set(name, mark)
    const taken = Promise.try(observe, place, seen)
    untaken.set(name, taken)
    try {
      await taken
      if (untaken.get(name) === taken) untaken.delete(name)
      failing.delete(name)
    } catch (error) {
      if (!failing.has(name))
        onFailure(place, `the catalogue could not take over what is offered: ${String(error)}`)
      failing.add(name)
      if (retries.get(name) === mark && !isClosed) retryLater()
      return
    }
    if (retries.get(name) === mark) retries.delete(name)

    function retryLater(): void {
      const next = Math.min(maxMs, pauseMs * 2)
      retries.set(
        name,
        clock.after(pauseMs, () => void attempt(place, seen, next)),
      )
    }
  }
}

function toName({ tenant_id, server_id }: ServerPlace): string {
  return `${tenant_id}\n${server_id}`
}
