import { describeKv } from '@dataagent/store/kv/describe-kv'
import { expect, test } from 'vitest'
import type { UpstreamHealth } from '../upstreams/index.ts'
import { createHealthHistory, keptChanges } from './health-history.ts'

const place = { tenant_id: 'acme', server_id: 'mall' }
const server = { ...place, created_at: 0 }

/** A process whose connections fare as the test says. */
function createProcess(kv: Parameters<typeof createHealthHistory>[0]['kv'], now: () => number) {
  const heard: ((health: UpstreamHealth, connect_ms?: number) => void)[] = []
  const onHealth = (handler: (health: UpstreamHealth, connect_ms?: number) => void) => {
    heard.push(handler)
    return () => void heard.pop()
  }
  const lost: unknown[] = []
  const history = createHealthHistory({
    ...{ kv, upstreams: { onHealth }, clock: { now }, onLost: (error) => lost.push(error) },
  })
  const tell = (health: Partial<UpstreamHealth>, connect_ms?: number) => {
    const usual = {
      ...place,
      user_id: null,
      breaker: 'closed',
      holder: undefined,
      since: 0,
    } as const
    for (const handler of heard) handler({ ...usual, status: 'running', ...health }, connect_ms)
  }
  return { history, tell, lost }
}

describeKv('the history of health', ({ kv, other }) => {
  test('is kept newest first, with what was before, by whichever process', async () => {
    let now = 1
    const one = createProcess(kv, () => now)
    const two = createProcess(other, () => now)
    one.tell({ status: 'stopped', fault: 'connecting' })
    now = 5
    one.tell({ status: 'running' }, 4)
    two.tell({ status: 'running', holder: { owner: 'one', own: false } })
    one.tell({ status: 'running', breaker: 'open' })
    now = 9
    one.tell({ status: 'error', fault: 'closed', message: 'it has gone' })
    two.tell({ status: 'error', fault: 'closed', message: 'it has gone' })
    await one.history.close()
    await two.history.close()
    const told = [
      { at: 9, from: 'running', status: 'error', fault: 'closed', message: 'it has gone' },
      { at: 5, from: 'stopped', status: 'running', connect_ms: 4 },
      { at: 1, from: null, status: 'stopped', fault: 'connecting' },
    ]
    expect(await two.history.list(server)).toEqual(told.map((each) => ({ ...each, user_id: null })))
    expect(await two.history.list({ ...server, tenant_id: 'other' })).toEqual([])
    const [latest] = await two.history.list({ ...place, created_at: 6 })
    expect(latest, 'of one made anew under its name').toMatchObject({ at: 9, from: null })
    expect([...one.lost, ...two.lost]).toEqual([])
  })

  test('holds the latest of many, and tells the connections of users apart', async () => {
    let now = 0
    const { history, tell } = createProcess(kv, () => now)
    for (now = 1; now <= keptChanges * 2; now += 1) {
      tell({ server_id: 'busy', user_id: 'ana', status: now % 2 === 0 ? 'running' : 'error' })
    }
    tell({ server_id: 'busy', user_id: 'ben', status: 'running' })
    await history.close()
    const changes = await history.list({ ...server, server_id: 'busy' })
    expect(changes).toHaveLength(keptChanges)
    expect(changes[0]).toMatchObject({ user_id: 'ben', from: null, status: 'running' })
    expect(changes[1]).toMatchObject({ user_id: 'ana', from: 'error', at: keptChanges * 2 })
  })
})

test('what cannot be written is said to be lost, and hinders nothing', async () => {
  const away = async () => Promise.reject(new Error('away'))
  const { history, tell, lost } = createProcess({ add: away, get: away, set: away }, () => 1)
  tell({ status: 'running' })
  await history.close()
  expect(lost).toMatchObject([{ message: 'away' }])
})
