import { setTimeout as delay } from 'node:timers/promises'
import type { ChatResponse } from '@dataagent/schema'
import type { Person } from './people.ts'

/** People who ask over and over, each request sent once: what fails is counted as failed. */
export interface Load extends AsyncDisposable {
  readonly requests: number
  readonly turns: number
  readonly failures: readonly string[]
}

export interface LoadOptions {
  url: string
  people: readonly Person[]
  /** Between two rounds of one person. */
  pauseMs?: number
}

export function startLoad({ url, people, pauseMs = 40 }: LoadOptions): Load {
  const failures: string[] = []
  let requests = 0
  let turns = 0
  let isOver = false

  async function ask<T>(person: Person, path: string, json?: object): Promise<T | undefined> {
    requests += 1
    try {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method: json === undefined ? 'GET' : 'POST',
        headers: { 'x-api-key': person.key, 'content-type': 'application/json' },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      })
      const body = await answer.text()
      if (answer.ok) return JSON.parse(body) as T
      failures.push(`${path}: ${answer.status} ${body.slice(0, 200)}`)
    } catch (error) {
      failures.push(`${path}: ${(error as Error).message} ${String((error as Error).cause ?? '')}`)
    }
    return undefined
  }

  async function work(person: Person): Promise<void> {
    for (let round = 0; !isOver; round += 1) {
      await ask(person, '/sessions')
      const message = `Round ${round} of ${person.user_id}`
      const turn = await ask<ChatResponse>(person, '/chat', { message })
      if (turn !== undefined) {
        turns += 1
        const said = JSON.stringify(turn.events)
        if (!said.includes(`You said: ${message}`)) failures.push(`another answer: ${said}`)
      }
      await delay(pauseMs)
    }
  }

  const all = Promise.all(people.map(work))
  return {
    get requests() {
      return requests
    },
    get turns() {
      return turns
    },
    failures,
    async [Symbol.asyncDispose]() {
      isOver = true
      await all
    },
  }
}
