import { canStartService } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { measureThroughput } from './throughput.ts'

const canRun = (await canStartService('postgres')) && (await canStartService('redis'))

test.runIf(canRun)(
  'turns are answered with stores beside the server',
  {
    timeout: 240_000,
  },
  async () => {
    const none = { cancels: 0, samples: 0, runningTurns: [] }
    const counts = { ...none, seconds: 1, workers: [1], databases: ['postgres'] as const }
    const { servers } = await measureThroughput(counts, () => {})
    expect(servers).toMatchObject([
      { database: 'postgres', workers: 1, times: { count: expect.toSatisfy(isSome) } },
    ])
  },
)

const isSome = (value: number) => value > 0
