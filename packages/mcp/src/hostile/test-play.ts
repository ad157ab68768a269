import { waitFor } from '@dataagent/testkit'
import { isMcpError } from '../errors.ts'
import type { Hostile } from './test-hostile.ts'
import type { ModeCase, Outcome } from './test-mode-cases.ts'
import { type Fared, keepCalling, type Stage } from './test-stage.ts'
import { watchLoop } from './test-watch.ts'

/** How long a call may take where waiting that long is what is looked for. */
export const shortTimeoutMs = 500
const longTimeoutMs = 20_000

export interface Seen {
  /** An `Outcome`, or what came instead. */
  outcome: string
  tookMs: number
  effects: number
  loopMs: number
  good: Fared
}

/** Lets a hostile server in, calls it once, and sees it off again. */
export async function play(stage: Stage, modeCase: ModeCase, awaited: Outcome[]): Promise<Seen> {
  const { manager } = stage
  await using hostile = await stage.invite(modeCase.mode, modeCase.knobs)
  const loop = watchLoop()
  const good = keepCalling(manager)
  const met = await meet(stage, hostile, { ...toLimits(awaited), config: modeCase.config })
  if (manager.serverNames().includes('bad')) await manager.removeServer('bad')
  await waitFor(() => hostile.held() === 0, { timeoutMs: 10_000, what: 'nothing is left' })
  const effects = hostile.notes('effect').length
  return { ...met, effects, loopMs: loop.stop(), good: await good.stop() }
}

interface Limits {
  /** Seconds, for adding the server. */
  timeout: number
  /** For the call. */
  timeoutMs: number
}

function toLimits(awaited: Outcome[]): Limits {
  const toMs = (outcome: Outcome) => (awaited.includes(outcome) ? shortTimeoutMs : longTimeoutMs)
  return { timeout: toMs('add: timeout') / 1_000, timeoutMs: toMs('call: timeout') }
}

async function meet(
  stage: Stage,
  hostile: Hostile,
  { timeout, timeoutMs, config }: Limits & Pick<ModeCase, 'config'>,
): Promise<Pick<Seen, 'outcome' | 'tookMs'>> {
  let begun = performance.now()
  const end = (outcome: string) => ({ outcome, tookMs: performance.now() - begun })
  try {
    await stage.add(hostile, { timeout, ...config })
  } catch (error) {
    return end(toOutcome('add', error))
  }
  begun = performance.now()
  try {
    const text = await stage.manager.callTool('mcp.bad.count', {}, { timeoutMs })
    return end(/^\d+$/.test(text) ? 'ok' : text)
  } catch (error) {
    return end(toOutcome('call', error))
  }
}

function toOutcome(step: 'add' | 'call', error: unknown): string {
  return isMcpError(error) ? `${step}: ${error.kind}` : `${step}: ${error}`
}
