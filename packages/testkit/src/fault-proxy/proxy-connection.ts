import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { applies, type Direction, type Fault } from './fault.ts'

/** One client's connection through the proxy. */
export interface ProxyConnection {
  readonly id: number
  /** Bytes that were passed on, injected ones included. */
  readonly bytes: Readonly<Record<Direction, number>>
  readonly fault: Fault
  readonly isOpen: boolean
  /** Changes the fault of this connection alone, also for bytes that wait already. */
  set(fault: Fault): void
}

export interface ProxyConnectionOptions {
  id: number
  client: Socket
  target: Socket
  fault: Fault
}

/**
 * Joins the two sockets, which must allow half-open, by way of a fault that can change at any time.
 */
export function createProxyConnection(options: ProxyConnectionOptions): ProxyConnection {
  const { id, client, target } = options
  const bytes = { up: 0, down: 0 }
  let fault = options.fault
  let since = { ...bytes }
  let change = new AbortController()

  for (const socket of [client, target]) {
    socket.setNoDelay(true)
    socket.on('error', () => {})
  }

  function set(next: Fault) {
    fault = next
    since = { ...bytes }
    const waiting = change
    change = new AbortController()
    waiting.abort()
    applyAtOnce()
  }

  function applyAtOnce() {
    if (fault.kind === 'refuse' || (fault.kind === 'reset' && !fault.afterBytes)) reset()
    if (fault.kind === 'cut' && fault.afterBytes === 0) cut()
    if (fault.kind === 'half_open') target.destroy()
  }

  function reset() {
    client.resetAndDestroy()
    target.resetAndDestroy()
  }

  function cut() {
    for (const socket of [client, target]) socket.end(() => socket.destroy())
  }

  async function write(sink: Socket, direction: Direction, piece: Buffer) {
    if (piece.length === 0 || sink.destroyed || sink.writableEnded) return
    bytes[direction] += piece.length
    if (!sink.write(piece)) await drained(sink)
  }

  /** Until the time is over, if one is given, or the fault changes. */
  async function wait(ms?: number) {
    const { signal } = change
    if (ms === undefined) await once(signal, 'abort')
    else await sleep(ms, undefined, { signal }).catch(() => {})
  }

  /** Passes on a part of the chunk as the fault of the moment wants it; returns the rest. */
  async function pass(chunk: Buffer, sink: Socket, direction: Direction): Promise<Buffer> {
    const now: Fault = applies(fault, direction) ? fault : { kind: 'pass' }
    switch (now.kind) {
      case 'delay': {
        await wait(Math.max(0, now.ms + (Math.random() * 2 - 1) * (now.jitterMs ?? 0)))
        if (fault !== now) return chunk
        break
      }
      case 'drip': {
        const pauseMs = Math.max(1, 1 / now.bytesPerMs)
        await wait(pauseMs)
        if (fault !== now) return chunk
        const size = Math.max(1, Math.round(now.bytesPerMs * pauseMs))
        await write(sink, direction, chunk.subarray(0, size))
        return chunk.subarray(size)
      }
      case 'cut':
      case 'reset': {
        const left = (now.afterBytes ?? 0) - (bytes[direction] - since[direction])
        await write(sink, direction, chunk.subarray(0, Math.max(0, left)))
        if (chunk.length < left) return empty
        if (now.kind === 'cut') cut()
        else await drained(sink).then(reset)
        return empty
      }
      case 'black_hole':
      case 'half_open':
        return empty
      case 'stall':
        await wait()
        return chunk
      case 'garbage':
        await write(sink, direction, randomBytes(now.bytes))
        break
    }
    await write(sink, direction, chunk)
    return empty
  }

  async function pump(source: Socket, sink: Socket, direction: Direction) {
    const ending = await drain(source, async (chunk) => {
      let rest = chunk
      while (rest.length > 0) rest = await pass(rest, sink, direction)
    })
    while (hides(fault, direction)) await wait()
    if (ending === 'broken') sink.resetAndDestroy()
    else if (!sink.writableEnded) sink.end()
  }

  void pump(client, target, 'up')
  void pump(target, client, 'down')
  applyAtOnce()

  return {
    id,
    bytes,
    get fault() {
      return fault
    },
    get isOpen() {
      return !client.destroyed
    },
    set,
  }
}

/** Reads until the socket ends in good order or breaks; its other direction stays as it is. */
async function drain(
  source: Socket,
  take: (chunk: Buffer) => Promise<void>,
): Promise<'ended' | 'broken'> {
  try {
    for await (const chunk of source) await take(chunk)
    return 'ended'
  } catch {
    return 'broken'
  }
}

const empty = Buffer.alloc(0)

/** Whether the fault keeps from one side that the other side ended. */
function hides(fault: Fault, direction: Direction): boolean {
  return ['black_hole', 'stall', 'half_open'].includes(fault.kind) && applies(fault, direction)
}

/** Until the kernel has taken all, or the socket is gone. */
async function drained(sink: Socket): Promise<void> {
  if (sink.writableLength === 0 || sink.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  sink.once('drain', resolve)
  sink.once('close', resolve)
  await promise
  sink.off('drain', resolve)
  sink.off('close', resolve)
}
