import { setTimeout as delay } from 'node:timers/promises'
import type { Person } from './people.ts'
import { type GatewayDoor, type Way, ways } from './test-ways.ts'

/**
 * People and an MCP client who ask over and over, in every way there is. Each request is sent once;
 * what fails is counted as failed, and so is a turn that does not come to its right end.
 */
export interface Traffic extends AsyncDisposable {
  /** What was answered as it should be. */
  readonly answered: Readonly<Record<Way, number>>
  readonly failures: readonly string[]
}

export interface TrafficOptions {
  url: string
  people: readonly Person[]
  door: GatewayDoor
  /** Taken in turn. */
  asking: readonly Way[]
  /** Between two requests of one person. */
  pauseMs?: number
}

/** Each person has one way of asking: of more at once nodes on one machine would refuse some. */
export function startTraffic(options: TrafficOptions): Traffic {
  const { url, people, door, asking, pauseMs = 200 } = options
  const answered = { list: 0, turn: 0, stream: 0, socket: 0, call: 0 }
  const failures: string[] = []
  let isOver = false

  async function repeat(way: Way, person: Person): Promise<void> {
    const fail = (error: unknown) => {
      const { message, cause = '' } = error as Error
      failures.push(`${way}: ${message.slice(0, 400)} ${cause}`)
    }
    /** Of something that was answered; false where it is the last. */
    const next = async () => {
      answered[way] += 1
      await delay(pauseMs)
      return !isOver
    }
    for (let round = 0; !isOver; round += 1) {
      await ways[way]({ url, person, round, door, fail, next }).catch(fail)
    }
  }

  const all = Promise.all(people.map((person, at) => repeat(asking[at % asking.length]!, person)))
  return {
    ...{ answered, failures },
    async [Symbol.asyncDispose]() {
      isOver = true
      await all
    },
  }
}
