import { once } from 'node:events'
import { toAnswer } from './good-server.ts'
import type { Call, Knobs, Message, Mode, Peer, Scene } from './mode.ts'
import type { Notes } from './notes.ts'
import { goodTools } from './tools.ts'

export function createScene(knobs: Knobs, notes: Notes): Scene {
  return {
    knobs,
    notes,
    calls: 0,
    tools: goodTools(),
    listeners: new Set(),
    lost: new Set(),
    running: new Map(),
  }
}

/** Counts a message of the client, before anything is done with it. */
export function noteArrival(message: Message, scene: Scene): void {
  scene.notes.add('received', message.method ?? 'response')
  const { traceparent } = (message.params?._meta ?? {}) as { traceparent?: string }
  if (traceparent !== undefined) scene.notes.add('traceparent', traceparent)
  if (message.method === 'tools/call') scene.calls += 1
}

/** Deals with one message of the client as `mode` says. Settles when nothing more comes of it. */
export async function takeMessage(
  message: Message,
  { peer, scene, mode }: { peer: Peer; scene: Scene; mode: Mode },
): Promise<void> {
  if (message.method === 'notifications/cancelled') cancel(message, peer, scene)
  if (message.method === undefined || message.id === undefined) return peer.end()
  const key = toKey(peer, message.id)
  const ending = new AbortController()
  scene.running.set(key, ending)
  const call = createCall({ message, peer, scene, signal: ending.signal })
  await (mode.answer?.(call) ?? call.proceed())
  scene.running.delete(key)
}

/** The client no longer waits for the answer to `message`. */
export function hangUp(message: Message, peer: Peer, scene: Scene): void {
  end(scene, toKey(peer, message.id), 'closed')
}

function createCall(question: Pick<Call, 'message' | 'peer' | 'scene' | 'signal'>): Call {
  const result = () => toAnswer(question)
  return {
    ...question,
    result,
    async proceed() {
      const answer = await result()
      if (question.signal.aborted) return question.peer.end()
      await respond(question.peer, answer)
    },
  }
}

function cancel({ params }: Message, peer: Peer, scene: Scene): void {
  end(scene, toKey(peer, params?.requestId), 'notification')
}

function end(scene: Scene, key: string, how: 'notification' | 'closed'): void {
  const ending = scene.running.get(key)
  if (!ending || ending.signal.aborted) return
  scene.notes.add('cancelled', how)
  ending.abort()
}

function toKey({ session }: Peer, id: unknown): string {
  return `${session} ${typeof id} ${id}`
}

/** The text of a message as the channel of `peer` carries it. */
export function toFrame({ frame }: Peer, text: string): string {
  return `${frame.before}${text}${frame.after}`
}

export async function sendText(peer: Peer, text: string): Promise<void> {
  await peer.raw([toFrame(peer, text)])
}

export async function respond(peer: Peer, message: Message): Promise<void> {
  await sendText(peer, JSON.stringify(message))
  peer.end()
}

/** Until the client has given the call up. */
export async function givenUp({ signal }: Call): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
