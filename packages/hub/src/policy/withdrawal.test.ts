import { setImmediate as nextLoop } from 'node:timers/promises'
import { createMemoryKv } from '@dataagent/store/kv'
import { describeSql, type SqlSubject } from '@dataagent/store/sql/describe-sql'
import { longCount, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createRevisions } from '../revisions/index.ts'
import { createPolicy } from './policy.ts'
import { admin, createTestWorld } from './test-world.ts'

const group = { kind: 'group', id: 'g' } as const
const dify = { ...admin, user_id: null, role: 'user', group_id: 'g' } as const

/** For so long it must stay refused, and until 1.1 s have passed at the latest. */
const quietMs = longCount(300, 1_100)

/** Two processes' worth of policy on one database: one changes, the other follows. */
async function setUp({ store, open }: SqlSubject, { isHinted }: { isHinted: boolean }) {
  const stack = new AsyncDisposableStack()
  const kv = stack.use(createMemoryKv())
  const deaf = { publish: async () => {}, subscribe: async () => async () => {} }
  const { servers, catalogue } = createTestWorld()
  const entry = catalogue.add(servers.add({ server_id: 'mall' }), 'get')

  function make(hub: typeof store.hub) {
    const used = isHinted ? kv : deaf
    const everyMs = isHinted ? 600_000 : 250
    const revisions = stack.use(createRevisions({ rows: hub.revisions, kv: used, everyMs }))
    const { publish, unconfirmedMs } = revisions
    const features = { featuresOf: () => ['*'] }
    const confirmWithinMs = Number.POSITIVE_INFINITY
    const ports = { rows: hub.policy, servers, catalogue, features, publish, unconfirmedMs }
    const policy = createPolicy({ ...ports, confirmWithinMs })
    revisions.follow('policy', policy.reload)
    revisions.start()
    return policy
  }
  const [here, there] = [make(store.hub), make(open().hub)]
  const isAllowed = () => there.resolve({ principal: dify }, 'mall/get').status === 'found'
  return { here, isAllowed, entry, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

await describeSql('a tool withdrawn from a group in one process', (subject) => {
  test.each(['by hint', 'without any hint'])(
    'is refused to racing calls in the other within the second, %s [A2.1]',
    async (way) => {
      await using set = await setUp(subject(), { isHinted: way === 'by hint' })
      for (let round = 0; round < longCount(1, 50); round++) {
        let fastest = Number.POSITIVE_INFINITY
        // The best of three: what else the machine does only adds.
        for (let tries = 0; tries < 3 && fastest >= 1_000; tries++)
          fastest = Math.min(fastest, await timeWithdrawal(set))
        expect(fastest).toBeLessThan(1_000)
      }
    },
  )
})

/** How long after the change a call was last allowed. */
async function timeWithdrawal({ here, isAllowed }: Awaited<ReturnType<typeof setUp>>) {
  await here.setAllowList(admin, group, [{ server_id: 'mall', tool: 'get' }])
  await waitFor(isAllowed)
  await here.setAllowList(admin, group, [])
  const from = performance.now()
  let lastAllowed = 0
  const isOver = () => performance.now() - from > Math.min(1_100, lastAllowed + quietMs)
  for (let calls = 0; calls < 1_000 || !isOver(); calls++) {
    if (isAllowed()) lastAllowed = performance.now() - from
    await nextLoop()
  }
  await waitFor(() => !isAllowed())
  return lastAllowed
}
