import { person, startEngine } from '../engine/test-engine.ts'
import type { ApprovalPolicy } from '../hitl/index.ts'
import { type KilledRun, type KillPoint, toKillEngine } from './test-kill-scene.ts'

/** Runs a turn, or goes on with one, and kills this process where it is told to. */
export async function runAndDie(killed: KilledRun): Promise<void> {
  const { at, session_id, approves, resumes } = killed
  let left = at?.time ?? 0

  function reached(point: KillPoint): void {
    if (point !== at?.point) return
    left -= 1
    if (left === 0) process.kill(process.pid, 'SIGKILL')
  }

  const approvals: ApprovalPolicy =
    approves === 'inbox' ? { kind: 'inbox' } : { kind: 'everything', setting: 'test' }
  const probe = async (point: KillPoint) => reached(point)
  const engine = await toKillEngine(killed, reached)
  const options = { ...engine, session_id, executor: { probe } }
  const { executor } = await startEngine(options)
  process.send?.('begins')
  const context = { principal: person, approvals, message_id: 'go' }
  const run = resumes
    ? executor.resume(session_id, context)
    : executor.execute(`Go ${session_id}`, session_id, context)
  for await (const { event_type } of run) process.send?.(event_type)
}
