import { setTimeout as delay, setImmediate as immediately } from 'node:timers/promises'
import type { Person } from '../nodes/people.ts'

/** What load has done to a server so far. */
export interface Load extends AsyncDisposable {
  /** From asking to the whole answer, in milliseconds. */
  readonly times: readonly number[]
  readonly asked: number
  /** Answers that said that there is too much to do: 429 and 503. */
  readonly shed: number
  readonly failures: readonly string[]
}

export interface LoadOptions {
  url: string
  people: readonly Person[]
}

export interface ArrivalOptions extends LoadOptions {
  perSecond: number
}

/** Each of them asks again as soon as it was answered. */
export function startUsers(options: LoadOptions): Load {
  return startLoad(options, async (ask, people, over) => {
    await Promise.all(
      people.map(async (person) => {
        while (!over.aborted) await ask(person)
      }),
    )
  })
}

/** So many ask in each second, however long answers take. */
export function startArrivals(options: ArrivalOptions): Load {
  return startLoad(options, async (ask, people, over) => {
    const began = performance.now()
    const under: Promise<void>[] = []
    for (let asked = 0; !over.aborted; asked += 1) {
      const due = began + (asked * 1_000) / options.perSecond
      const wait = due - performance.now()
      await (wait > 1 ? delay(wait, undefined, { signal: over }).catch(() => {}) : immediately())
      if (over.aborted) break
      under.push(ask(people[asked % people.length]!))
    }
    await Promise.all(under)
  })
}

type Ask = (person: Person) => Promise<void>
type Work = (ask: Ask, people: readonly Person[], over: AbortSignal) => Promise<void>

function startLoad({ url, people }: LoadOptions, work: Work): Load {
  const times: number[] = []
  const failures: string[] = []
  let asked = 0
  let shed = 0
  const over = new AbortController()

  async function ask({ key }: Person): Promise<void> {
    const began = performance.now()
    asked += 1
    try {
      const answer = await fetch(`${url}/api/v1/chat`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ message: 'Hello' }),
      })
      const body = await answer.text()
      if (answer.ok) times.push(performance.now() - began)
      else if (answer.status === 429 || answer.status === 503) {
        shed += 1
        await delay(50)
      } else failures.push(`${answer.status} ${body.slice(0, 200)}`)
    } catch (error) {
      failures.push(String((error as Error).cause ?? error))
    }
  }

  const done = work(ask, people, over.signal)
  return {
    ...{ times, failures },
    get asked() {
      return asked
    },
    get shed() {
      return shed
    },
    async [Symbol.asyncDispose]() {
      over.abort()
      await done
    },
  }
}
