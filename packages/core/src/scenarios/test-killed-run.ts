import { readJson } from '@dataagent/schema'
import { person, startEngine } from '../engine/test-engine.ts'
import type { ApprovalPolicy } from '../hitl/index.ts'
import { type KilledRun, type KillPoint, toKillEngine } from './test-kill-scene.ts'

// A process of its own for tests: it runs a turn, and kills itself where its argument says.

const killed = readJson(process.argv[2] ?? '') as unknown as KilledRun
let left = killed.at?.time ?? 0

function reached(point: KillPoint): void {
  if (point !== killed.at?.point) return
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}

const approvals: ApprovalPolicy =
  killed.approves === 'inbox' ? { kind: 'inbox' } : { kind: 'everything', setting: 'test' }
const probe = async (point: KillPoint) => reached(point)
const { session_id } = killed
const options = { ...toKillEngine(killed, reached), session_id, executor: { probe } }
const engine = await startEngine(options)
process.send?.('begins')
const context = { principal: person, approvals, message_id: 'go' }
const run = killed.resumes
  ? engine.executor.resume(session_id, context)
  : engine.executor.execute(`Go ${session_id}`, session_id, context)
for await (const { event_type } of run) process.send?.(event_type)
process.exit()
