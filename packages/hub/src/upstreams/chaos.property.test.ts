import { randomUUID } from 'node:crypto'
import { createMemoryKv, type Kv } from '@dataagent/store/kv'
import { longCount, waitFor } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLocalServers, type LocalServers } from './test-local.ts'
import { createRig, type Rig } from './test-rig.ts'

/** What can happen to three processes that share one server. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('call'), party: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('stop'), party: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('start'), party: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('change'), party: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pause'), party: fc.nat(2) }) },
)

interface Scene {
  kv: Kv
  local: LocalServers
  rigs: (Rig | undefined)[]
  revision: number
  calls: Promise<void>[]
  wrong: string[]
}

const runs = longCount(40, 2_000)

test(
  `in ${runs} runs processes come and go and change: no answer is another’s, one connection remains [T12]`,
  async () => {
    const check = async (steps: { kind: string; party: number }[]) => {
      await using kv = createMemoryKv()
      const local = createLocalServers()
      const scene: Scene = { kv, local, rigs: [], revision: 1, calls: [], wrong: [] }
      for (const { kind, party } of steps) await play(scene, kind, party)
      await Promise.all(scene.calls)
      await play(scene, 'start', 0)
      const living = scene.rigs.filter((rig) => rig !== undefined)
      for (const rig of living) {
        const say = () => rig.say('a', 'end').catch(() => undefined)
        await waitFor(async () => (await say()) === 'end', { what: 'all can call', intervalMs: 1 })
      }
      await waitFor(() => local.open('a') === 1, { what: 'one is left', intervalMs: 1 })
      await Promise.all(living.map((rig) => rig[Symbol.asyncDispose]()))
      expect([local.open('a'), scene.wrong]).toEqual([0, []])
    }
    const steps = fc.array(step, { minLength: 5, maxLength: 30 })
    await fc.assert(fc.asyncProperty(steps, check), { numRuns: runs })
  },
  longCount(30_000, 600_000),
)

async function play(scene: Scene, kind: string, party: number): Promise<void> {
  const rig = scene.rigs[party]
  if (kind === 'start' && rig === undefined) start(scene, party)
  if (kind === 'stop' && rig) {
    scene.rigs[party] = undefined
    await rig[Symbol.asyncDispose]()
  }
  if (kind === 'change') {
    scene.revision += 1
    for (const one of scene.rigs) one?.servers.set('a', toConfig(scene))
  }
  if (kind === 'pause') await new Promise((resolve) => setImmediate(resolve))
  if (kind === 'call' && rig) scene.calls.push(call(scene, rig, party))
}

function start(scene: Scene, party: number): void {
  const { createTransport } = scene.local
  const backoff = { firstMs: 1, maxMs: 10 }
  const rig = createRig({
    kv: scene.kv,
    owner: randomUUID(),
    createTransport,
    backoff,
  })
  rig.servers.set('a', toConfig(scene))
  rig.upstreams.start()
  scene.rigs[party] = rig
}

function toConfig({ revision }: Scene) {
  return { name: 'a', command: `revision-${revision}` }
}

async function call(scene: Scene, rig: Rig, party: number): Promise<void> {
  const text = `${party} ${scene.calls.length}`
  try {
    const got = await rig.say('a', text, { deadlineMs: 4_000, maxRetries: 2 })
    if (got !== text) scene.wrong.push(`${text} got ${got}`)
  } catch (error) {
    const { kind } = error as { kind?: string }
    if (!['closed', 'unavailable'].includes(String(kind))) scene.wrong.push(`${text}: ${error}`)
  }
}
