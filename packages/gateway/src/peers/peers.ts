import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import { createAsked } from './asked.ts'
import { createAsking } from './asking.ts'
import type { PeerHandler, Peers } from './contract.ts'
import { type Letter, parseLetter } from './letter.ts'

export interface PeersOptions {
  kv: Pick<Kv, 'publish' | 'subscribe'>
  clock?: Clock | undefined
  /** One that is at it says so this often. Default 2 s; thrice as long without is gone. */
  beatMs?: number | undefined
  /** Must not throw. */
  onError(error: unknown): void
}

const everyone = 'mcp:peers'
const channelOf = (name: string) => `mcp:peers:${name}`

export function createPeers(options: PeersOptions): Peers {
  const { kv, clock = systemClock, beatMs = 2_000, onError } = options
  const name = randomBytes(8).toString('hex')
  const handlers = new Map<string, PeerHandler>()
  const ends = new AsyncDisposableStack()
  let starting: Promise<void> | undefined

  async function send(to: string | undefined, letter: Letter): Promise<boolean> {
    try {
      await kv.publish(to === undefined ? everyone : channelOf(to), JSON.stringify(letter))
      return true
    } catch (error) {
      onError(error)
      return false
    }
  }

  const asking = createAsking({ send, name, clock, silenceMs: beatMs * 3 })
  const asked = createAsked({ send, name, clock, beatMs, handlers, onError })

  function receive(text: string): void {
    const letter = parseLetter(text)
    if (letter === undefined) return
    if (letter.kind === 'ask' || letter.kind === 'tell') asked.receive(letter)
    else if (letter.kind === 'stop') asked.stop(letter)
    else asking.receive(letter)
  }

  /** Both channels or none: heard twice, a message would be done twice. */
  async function listen(): Promise<void> {
    await using half = new AsyncDisposableStack()
    half.defer(await kv.subscribe(channelOf(name), receive))
    half.defer(await kv.subscribe(everyone, receive))
    ends.use(half.move())
  }

  return {
    name,
    on: (kind, handler) => void handlers.set(kind, handler),
    async tell(message) {
      await send(undefined, { kind: 'tell', from: name, message })
    },
    ask: (to, message, options = {}) =>
      to === name ? asked.here(message, options) : asking.ask(to, message, options),
    start() {
      starting ??= listen().catch((error: unknown) => {
        starting = undefined
        throw error
      })
      return starting
    },
    async [Symbol.asyncDispose]() {
      asking.close()
      asked.close()
      await ends.disposeAsync()
    },
  }
}
