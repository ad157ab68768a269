import { setTimeout as sleep } from 'node:timers/promises'
import type { Message, Peer, Scene } from './mode.ts'

export interface ToolDefinition {
  name: string
  description: string
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown>
  annotations?: { idempotentHint?: boolean; readOnlyHint?: boolean; destructiveHint?: boolean }
}

/**
 * `echo {message}` gives it back; `count` has an effect each time, `touch` one that does no harm
 * twice; `slow {ms}` takes that long and reports progress.
 */
export function goodTools(): ToolDefinition[] {
  return [
    {
      name: 'echo',
      description: 'Gives the message back',
      inputSchema: objectOf('message', { type: 'string' }),
      annotations: { readOnlyHint: true, idempotentHint: true },
    },
    {
      name: 'count',
      description: 'Counts one more',
      inputSchema: { type: 'object' },
      annotations: { destructiveHint: true, idempotentHint: false },
    },
    {
      name: 'touch',
      description: 'Touches, once or often',
      inputSchema: { type: 'object' },
      annotations: { idempotentHint: true },
    },
    {
      name: 'slow',
      description: 'Takes its time',
      inputSchema: objectOf('ms', { type: 'number' }),
      annotations: { readOnlyHint: true },
    },
  ]
}

export interface ToolRun {
  params: Record<string, unknown>
  peer: Peer
  scene: Scene
  signal: AbortSignal
}

type Result = Record<string, unknown>

/** Runs a tool; undefined for an unknown name. */
export async function runTool({
  params,
  peer,
  scene,
  signal,
}: ToolRun): Promise<Result | undefined> {
  const name = String(params.name)
  const args = (params.arguments ?? {}) as Record<string, unknown>
  if (name === 'echo') return toText(String(args.message))
  if (name === 'count' || name === 'touch') {
    scene.notes.add('effect', name)
    return toText(String(scene.notes.read('effect').length))
  }
  if (name !== 'slow') return undefined
  const { progressToken } = (params._meta ?? {}) as { progressToken?: string | number }
  await spend(Number(args.ms), signal, async (progress) => {
    if (progressToken !== undefined) await peer.notify(toProgress(progressToken, progress))
  })
  return toText('done')
}

function toText(text: string): Result {
  return { content: [{ type: 'text', text }] }
}

const steps = 5

async function spend(
  ms: number,
  signal: AbortSignal,
  report: (progress: number) => Promise<void>,
): Promise<void> {
  for (let step = 1; step <= steps; step += 1) {
    await sleep(ms / steps, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    await report(step)
  }
}

function toProgress(progressToken: string | number, progress: number): Message {
  return {
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken, progress, total: steps },
  }
}

function objectOf(name: string, property: Record<string, unknown>) {
  return { type: 'object', properties: { [name]: property }, required: [name] }
}
