import { canStartService } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { measureGrowth } from './growth.ts'

const canRun =
  process.platform === 'linux' &&
  (await canStartService('postgres')) &&
  (await canStartService('redis'))

const few = {
  ...{ calls: 100, rounds: 2, warm: 20, tools: [2], tenants: [], sessions: [], nodes: [] },
  ...{ words: [2], sockets: 3, turnsAtOnce: 2, turnRounds: 1, restSeconds: 0.1 },
}

test.runIf(canRun)(
  'a call and a turn cost something of the node and of its stores',
  {
    timeout: 120_000,
  },
  async () => {
    const steps: string[] = []
    const { tools, turns, sockets } = await measureGrowth(few, (step) => steps.push(step))
    expect(steps[0]).toBe('tools: 2')
    expect(tools).toMatchObject([{ count: 2, cpu: expect.toSatisfy(isSome) }])
    expect(tools[0]?.residentMb).toBeGreaterThan(50)
    expect(turns).toMatchObject([{ words: 2, stores: { writes: expect.toSatisfy(isSome) } }])
    expect(turns[0]?.stores?.redisCommands).toBeGreaterThan(1)
    expect(sockets?.count).toBe(3)
  },
)

const isSome = (value: number) => value > 0
