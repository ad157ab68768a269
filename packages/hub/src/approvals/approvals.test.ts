import { createMasker } from '@dataagent/guard'
import { type Approval, approvalSchema } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import { describeSql } from '@dataagent/store/sql/describe-sql'
import { createCanary, createFakeClock, expectNoCanary, waitFor } from '@dataagent/testkit'
import { afterAll, expect, test } from 'vitest'
import { type ApprovalsOptions, createApprovals } from './approvals.ts'
import type { ApprovalAsk, ApprovalRow, PendingOrDecided } from './contract.ts'
import { anAsk, aUser, no, yes } from './test-approvals.ts'

const [ana, bo, cy] = [aUser('ana'), aUser('bo'), aUser('cy')]
const eve = aUser('eve', { role: 'admin' })

await describeSql('approvals', (subject) => {
  const stack = new AsyncDisposableStack()
  afterAll(() => stack.disposeAsync())

  /** Two processes' approvals over one database, one KV and one clock. */
  function open(options: Partial<ApprovalsOptions> = {}) {
    const clock = createFakeClock()
    const kv = stack.use(createMemoryKv({ clock }))
    const means = { rows: subject().store.hub.approvals, kv, masker: createMasker(), clock }
    const make = () => stack.use(createApprovals({ ...means, ...options }))
    return { clock, kv, approvals: make(), other: make(), rows: means.rows }
  }

  test('a call is asked once: equal calls of the same caller wait for the same approval', async () => {
    const { approvals, other, clock } = open()
    const ask = anAsk({ session_id: 's1', run_id: 'r1' })
    const first = await approvals.request(ask)
    expect(first).toMatchObject({ status: 'pending', row: { asked: 1 } })
    expect(first.row.expires_at).toBe(clock.now() + 300_000)
    clock.advance(10_000)
    const again = await other.request({ ...ask, call_id: 'c2' })
    expect(again).toEqual({ status: 'pending', row: first.row })
  })

  test('20 equal calls at once in two processes are asked once', async () => {
    const { approvals, other } = open()
    const ask = anAsk()
    const told: string[] = []
    for (const each of [approvals, other]) {
      each.onChange(({ approval_id }) => void told.push(approval_id))
    }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? approvals : other).request(ask)),
    )
    expect(new Set(answers.map(({ row }) => row.approval_id))).toEqual(new Set(told))
    expect(told).toHaveLength(1)
  })

  test('a caller with too many questions open is told to wait; its old ones are given', async () => {
    const { approvals } = open({ pendingMax: 3 })
    const ask = (n: number) => approvals.request(anAsk({ principal: aUser('many'), args: { n } }))
    const { row } = await ask(0)
    await ask(1)
    await ask(2)
    await expect(ask(3)).rejects.toMatchObject({ code: 'rate_limited' })
    expect(await ask(0)).toEqual({ status: 'pending', row })
    await approvals.decide(aUser('many'), row.approval_id, no)
    expect(await ask(3)).toMatchObject({ status: 'pending', row: { asked: 1 } })
  })

  const changes: [what: string, change: Partial<ApprovalAsk>][] = [
    ['arguments', { args: { order: 'another' } }],
    ['a definition', { definition_hash: 'd2' }],
    ['a caller', { principal: bo }],
    ['an agent', { principal: aUser('ana', { agent_id: 'x' }) }],
  ]
  test.each(changes)(
    '%s that changed are a new question, and no use of the old',
    async (_, change) => {
      const { approvals } = open()
      const ask = anAsk()
      const { row } = await approvals.request(ask)
      await approvals.decide(ana, row.approval_id, yes)
      await expectAnother(approvals.request({ ...ask, ...change }), row)
      expect(await approvals.use('t1', row.approval_id, { ...ask, ...change })).toBe(false)
      expect(await approvals.use('t1', row.approval_id, ask)).toBe(true)
    },
  )

  test('an approval is given back until it is used, once, within ten minutes', async () => {
    const { approvals, other, clock } = open()
    const ask = anAsk()
    const { row } = await approvals.request(ask)
    await approvals.decide(ana, row.approval_id, yes)
    clock.advance(599_999)
    const again = await other.request(ask)
    expect(again).toMatchObject({ status: 'decided', row: { decision: 'approve' } })
    expect(await other.use('t1', row.approval_id, ask)).toBe(true)
    expect(await approvals.use('t1', row.approval_id, ask)).toBe(false)
    await expectAnother(approvals.request(ask), row)
  })

  /** A run's call whose approval was used by a process that died before the call had begun. */
  async function openUsed() {
    const { approvals, other, clock } = open()
    const ask = anAsk({ session_id: 's1', run_id: 'r1', once_for: 'r1/c1' })
    const { row } = await approvals.request(ask)
    await approvals.decide(ana, row.approval_id, yes)
    expect(await approvals.use('t1', row.approval_id, ask)).toBe(true)
    return { approvals, other, clock, ask, row, resumed: row.approval_id }
  }

  test('a run that goes on with a call it had asked for uses its approval once more [D3.4] [F17]', async () => {
    const { approvals, other, ask, row, resumed } = await openUsed()
    const again = await other.request({ ...ask, resumed })
    expect(again).toMatchObject({ status: 'decided', row: { ...row, ...approved } })
    const call = { ...ask, earlier_use: again.row.used_at }
    expect(await approvals.use('t1', resumed, ask)).toBe(false)
    expect(await approvals.use('t2', resumed, call)).toBe(false)
    expect(await approvals.use('t1', resumed, { ...call, args: { order: 'other' } })).toBe(false)
    const uses = [approvals, other, approvals].map((each) => each.use('t1', resumed, call))
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1)
    await expectAnother(approvals.request(ask), row)
  })

  test('what was decided of a call that is gone on with is found without asking', async () => {
    const { approvals, ask, resumed } = await openUsed()
    const used = await approvals.request({ ...ask, resumed })
    expect(await approvals.decidedOf({ ...ask, resumed })).toEqual(used.row)
    const fresh = anAsk({ run_id: 'r1', once_for: 'r1/c9' })
    for (const other of [ask, { ...ask, resumed: 'another' }, { ...fresh, resumed }])
      expect(await approvals.decidedOf(other)).toBeUndefined()
    const { row } = await approvals.request(fresh)
    const asked = { ...fresh, resumed: row.approval_id }
    expect(await approvals.decidedOf(asked)).toBeUndefined()
    await approvals.decide(ana, row.approval_id, no)
    expect(await approvals.decidedOf(asked)).toMatchObject({ decision: 'reject', used_at: null })
  })

  const strangers: [what: string, change: Partial<ApprovalAsk>][] = [
    ['no approval of its own', { resumed: undefined }],
    ['another approval', { resumed: 'another' }],
    ['other arguments', { args: { order: 'another' } }],
    ['another definition', { definition_hash: 'd2' }],
    ['another run', { once_for: 'r2/c1', run_id: 'r2' }],
    ['another call of the run', { once_for: 'r1/c2', call_id: 'c2' }],
    ['another caller', { principal: bo }],
  ]
  test.each(strangers)('a used approval is asked anew by one with %s', async (_, change) => {
    const { approvals, ask, row, resumed } = await openUsed()
    await expectAnother(approvals.request({ ...ask, resumed, ...change }), row)
  })

  test('a used approval of a call that no run waits for is asked anew', async () => {
    const { approvals, clock } = open()
    const ask = anAsk()
    const { row } = await approvals.request(ask)
    await approvals.decide(ana, row.approval_id, yes)
    expect(await approvals.use('t1', row.approval_id, ask)).toBe(true)
    const call = { ...ask, earlier_use: clock.now() }
    expect(await approvals.use('t1', row.approval_id, call)).toBe(false)
    await expectAnother(approvals.request({ ...ask, resumed: row.approval_id }), row)
  })

  test('a used approval that was given ten minutes ago is asked anew', async () => {
    const { approvals, clock, ask, row, resumed } = await openUsed()
    const found = await approvals.request({ ...ask, resumed })
    clock.advance(600_000)
    const call = { ...ask, earlier_use: found.row.used_at }
    expect(await approvals.use('t1', resumed, call)).toBe(false)
    await expectAnother(approvals.request({ ...ask, resumed }), row)
  })

  test('one who waited for an approval that another has used does not use it again', async () => {
    const { approvals, other } = open()
    const ask = anAsk({ run_id: 'r1', once_for: 'r1/c1' })
    const { row } = await approvals.request(ask)
    const resumed = row.approval_id
    expect(await other.request({ ...ask, resumed })).toMatchObject({ status: 'pending' })
    await approvals.decide(ana, resumed, yes)
    expect(await approvals.use('t1', resumed, ask)).toBe(true)
    expect(await other.wait('t1', resumed)).toMatchObject({ status: 'used' })
    expect(await other.use('t1', resumed, ask)).toBe(false)
  })

  test('an approval that nobody used in ten minutes is void', async () => {
    const { approvals, clock } = open()
    const ask = anAsk()
    const { row } = await approvals.request(ask)
    await approvals.decide(ana, row.approval_id, yes)
    clock.advance(600_000)
    expect(await approvals.use('t1', row.approval_id, ask)).toBe(false)
    await expectAnother(approvals.request(ask), row)
  })

  test('a rejection holds for ten minutes, then the call may be asked again', async () => {
    const { approvals, clock } = open()
    const ask = anAsk()
    const { row } = await approvals.request(ask)
    await approvals.decide(ana, row.approval_id, no)
    const refused = { status: 'decided', row: { decision: 'reject', message: 'not today' } }
    expect(await approvals.request(ask)).toMatchObject(refused)
    expect(await approvals.use('t1', row.approval_id, ask)).toBe(false)
    clock.advance(600_000)
    await expectAnother(approvals.request(ask), row)
  })

  test('what expired is asked again under its id, for the call that asks now', async () => {
    const { approvals, clock } = open()
    const ask = anAsk({ session_id: 's1' })
    const { row } = await approvals.request({ ...ask, timeoutMs: 1_000 })
    await approvals.handOver(ana, row.approval_id, 'bo')
    clock.advance(1_000)
    const again = await approvals.request({ ...ask, session_id: 's2', call_id: 'c2' })
    expect(again.status).toBe('pending')
    expect(again.row).toMatchObject({ approval_id: row.approval_id, asked: 2, assignee: 'bo' })
    expect(again.row).toMatchObject({ session_id: 's2', tool_call_id: 'c2', via: null })
    expect(again.row.expires_at).toBe(clock.now() + 300_000)
    expect(await approvals.request(ask)).toEqual(again)
  })

  test('those who wait are told, in the process that decided and in the other', async () => {
    const { approvals, other } = open()
    approvals.start()
    other.start()
    const { row } = await approvals.request(anAsk())
    const waits = [approvals, other].map((each) => each.wait('t1', row.approval_id))
    await approvals.decide(ana, row.approval_id, { type: 'approve', message: 'go on' })
    const told = { status: 'decided', decision: 'approve', message: 'go on', decided_by: 'ana' }
    for (const wait of waits) expect(await wait).toMatchObject(told)
    expect(await other.wait('t1', row.approval_id)).toMatchObject(told)
  })

  test('a decision whose hint was lost is found by looking', async () => {
    const { approvals, other, clock } = open()
    const { row } = await approvals.request(anAsk())
    const wait = approvals.wait('t1', row.approval_id)
    await other.decide(ana, row.approval_id, yes)
    const timer = setInterval(() => clock.advance(500), 5)
    expect(await wait).toMatchObject({ decision: 'approve' })
    clearInterval(timer)
  })

  test('a call that waits is told of expiry, as a rejection that nobody gave', async () => {
    const { approvals, other, clock } = open()
    const { row } = await approvals.request(anAsk())
    const waits = [approvals, other].map((each) => each.wait('t1', row.approval_id))
    await waitFor(() => clock.pending() === 2)
    const timer = setInterval(() => clock.advance(20_000), 5)
    const expired = { decision: 'reject', via: 'expiry', decided_by: null }
    for (const wait of waits) expect(await wait).toMatchObject(expired)
    clearInterval(timer)
    const late = approvals.decide(ana, row.approval_id, yes)
    await expect(late).rejects.toMatchObject({ code: 'conflict', data: { via: 'expiry' } })
  })

  test('what nobody waits for expires too, and a late decision is a conflict', async () => {
    const { approvals, other, clock } = open()
    const { row } = await approvals.request(anAsk())
    clock.advance(300_000)
    const late = approvals.decide(ana, row.approval_id, yes)
    await expect(late).rejects.toMatchObject({ code: 'conflict', data: { via: 'expiry' } })
    const swept = await approvals.request(anAsk({ timeoutMs: 1_000 }))
    const told: Approval[] = []
    other.onChange((approval) => told.push(approval))
    other.start()
    const timer = setInterval(() => clock.advance(1_000), 5)
    await waitFor(() => told.some((each) => each.approval_id === swept.row.approval_id))
    clearInterval(timer)
    expect(told.at(-1)).toMatchObject({ status: 'decided', via: 'expiry' })
  })

  test('two who decide: one is heard, the other learns what, by whom and when', async () => {
    const { approvals, other, clock } = open()
    const { row } = await approvals.request(anAsk())
    const decided = await approvals.decide(eve, row.approval_id, no)
    expect(decided).toMatchObject({ status: 'decided', decision: no, decided_by: 'eve' })
    await expect(other.decide(ana, row.approval_id, yes)).rejects.toMatchObject({
      code: 'conflict',
      data: { decision: no, via: 'person', decided_by: 'eve', decided_at: clock.now() },
    })
  })

  test('strangers find nothing; those who see it and may not decide are forbidden [T41]', async () => {
    const { approvals } = open()
    const agent = aUser('ana', { agent_id: 'helper' })
    const { row } = await approvals.request(anAsk({ principal: agent }))
    const elsewhere = aUser('ana', { tenant_id: 't2', role: 'admin' })
    for (const by of [bo, elsewhere, aUser('ana', { group_id: 'g' })]) {
      for (const attempt of [
        () => approvals.decide(by, row.approval_id, yes),
        () => approvals.handOver(by, row.approval_id, 'bo'),
        () => approvals.reask(by, row.approval_id),
        () => approvals.get(by, row.approval_id),
      ]) {
        await expect(attempt()).rejects.toMatchObject({ code: 'not_found' })
      }
    }
    const machine = { tenant_id: 't1', user_id: null, role: 'admin' } as const
    for (const by of [agent, machine]) {
      const forged = approvals.decide(by, row.approval_id, yes)
      await expect(forged).rejects.toMatchObject({ code: 'forbidden' })
      expect(await approvals.get(by, row.approval_id)).toMatchObject({ status: 'pending' })
    }
    const odd = approvals.decide(ana, row.approval_id, { type: 'edit', message: '' } as never)
    await expect(odd).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('a setting can demand another person than the one who asks', async () => {
    const { approvals } = open({ mayDecide: (by, { user_id }) => by.user_id !== user_id })
    const { row } = await approvals.request(anAsk())
    const own = approvals.decide(ana, row.approval_id, yes)
    await expect(own).rejects.toMatchObject({ code: 'forbidden' })
    await approvals.decide(eve, row.approval_id, yes)
    const { row: second } = await approvals.request(anAsk())
    await expect(approvals.decide(cy, second.approval_id, yes)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('it is handed over to someone, who then sees and decides it', async () => {
    const { approvals } = open({ hasUser: async (_, user_id) => user_id === 'bo' })
    const { row } = await approvals.request(anAsk())
    const page = { limit: 100, offset: 0, status: 'pending' } as const
    await expect(approvals.get(bo, row.approval_id)).rejects.toMatchObject({ code: 'not_found' })
    const stranger = approvals.handOver(ana, row.approval_id, 'nobody')
    await expect(stranger).rejects.toMatchObject({ code: 'invalid_request' })
    const handed = await approvals.handOver(ana, row.approval_id, 'bo')
    expect(handed).toMatchObject({ assignee: 'bo', expires_at: row.expires_at })
    const listed = await approvals.list(bo, page)
    expect(listed.map(({ approval_id }) => approval_id)).toContain(row.approval_id)
    await approvals.decide(bo, row.approval_id, yes)
    const late = approvals.handOver(ana, row.approval_id, 'bo')
    await expect(late).rejects.toMatchObject({ code: 'conflict', data: { decided_by: 'bo' } })
  })

  test('an expired one is pending again for a new period, a rejected one is not', async () => {
    const { approvals, other, clock } = open()
    const { row } = await approvals.request(anAsk())
    expect(await approvals.reask(ana, row.approval_id)).toMatchObject({ asked: 1 })
    clock.advance(300_000)
    const both = await Promise.all(
      [approvals, other].map((each) => each.reask(ana, row.approval_id)),
    )
    for (const asked of both) expect(asked).toMatchObject({ status: 'pending', asked: 2 })
    expect(both[0]?.expires_at).toBe(clock.now() + 300_000)
    await approvals.decide(ana, row.approval_id, no)
    const again = approvals.reask(ana, row.approval_id)
    await expect(again).rejects.toMatchObject({ code: 'conflict', data: { decision: no } })
  })

  test('one that was asked anew since is not asked again beside it', async () => {
    const { approvals, clock } = open()
    const ask = anAsk()
    const { row } = await approvals.request({ ...ask, timeoutMs: 1_000 })
    clock.advance(1_000)
    expect(await approvals.get(ana, row.approval_id)).toMatchObject({ via: 'expiry' })
    clock.advance(600_000)
    const { row: newer } = await approvals.request(ask)
    expect(newer.approval_id).not.toBe(row.approval_id)
    await expect(approvals.reask(ana, row.approval_id)).rejects.toMatchObject({
      code: 'conflict',
      data: { approval_id: newer.approval_id },
    })
  })

  test.each(['expired', 'was withdrawn'])(
    'one of a run that %s is not asked again, for nobody waits for it; the run itself may',
    async (how) => {
      const { approvals, clock } = open()
      const ask = anAsk({ session_id: 's1', run_id: 'r1', once_for: 'r1/c1' })
      const { row } = await approvals.request(ask)
      if (how === 'expired') clock.advance(300_000)
      else await approvals.withdraw('t1', row.approval_id)
      await expect(approvals.reask(ana, row.approval_id)).rejects.toMatchObject({
        code: 'conflict',
        data: { reason: 'run_over', session_id: 's1' },
      })
      expect(await approvals.request(ask)).toMatchObject({ status: 'pending', row: { asked: 2 } })
    },
  )

  test('what is withdrawn tells those who wait, and can be asked again', async () => {
    const { approvals, other } = open()
    const ask = anAsk()
    const { row } = await approvals.request(ask)
    const wait = approvals.wait('t1', row.approval_id)
    await other.withdraw('t2', row.approval_id)
    await approvals.withdraw('t1', row.approval_id)
    expect(await wait).toMatchObject({ decision: 'reject', via: 'withdrawal', decided_by: null })
    await approvals.withdraw('t1', row.approval_id)
    expect(await approvals.request(ask)).toMatchObject({ status: 'pending', row: { asked: 2 } })
  })

  test('secrets in arguments reach neither the row nor a listener, exact text does', async () => {
    const canary = createCanary()
    const { approvals, other, rows } = open({ masker: createMasker({ values: [canary.apiKey] }) })
    const told: Approval[] = []
    approvals.onChange((approval) => told.push(approval))
    other.onChange((approval) => told.push(approval))
    approvals.start()
    other.start()
    const note = `a\u202eb\0c\ud800 ${'x'.repeat(5_000)}`
    const args = { note, header: canary.header, password: canary.password, text: canary.apiKey }
    const reason = `because of ${canary.apiKey} \0`
    const { row } = await approvals.request(anAsk({ args, reason, call_id: 'i'.repeat(500) }))
    await waitFor(() => told.length >= 2)
    await approvals.decide(ana, row.approval_id, { type: 'approve', message: `\0${canary.apiKey}` })
    await waitFor(() => told.length >= 4)
    const stored = await rows.get('t1', row.approval_id)
    await expectNoCanary([canary], [{ name: 'stored and told', object: [stored, told] }])
    for (const approval of told) {
      expect(approvalSchema.parse(approval)).toMatchObject({ approval_id: row.approval_id })
      expect(approval.action_request).toMatchObject({ name: 'refund', args: { note } })
    }
  })

  test('every process hears of what is asked, handed over and decided in any', async () => {
    const { approvals, other } = open()
    const told: Approval[] = []
    const stop = other.onChange((approval) => told.push(approval))
    other.start()
    await waitFor(() => approvals.request(anAsk()).then(() => told.length > 0))
    const { row } = await approvals.request(anAsk())
    const toldOfIt = () => told.filter(({ approval_id }) => approval_id === row.approval_id)
    await waitFor(() => toldOfIt().length === 1)
    await approvals.handOver(ana, row.approval_id, 'bo')
    await waitFor(() => toldOfIt().length === 2)
    await approvals.decide(bo, row.approval_id, yes)
    await waitFor(() => toldOfIt().length === 3)
    expect(toldOfIt().map(({ status, assignee }) => [status, assignee])).toEqual([
      ['pending', null],
      ['pending', 'bo'],
      ['decided', 'bo'],
    ])
    stop()
  })

  test('lists only what one may see', async () => {
    const { approvals } = open()
    const at = (user_id: string) => aUser(user_id, { tenant_id: 'lists' })
    const own = await approvals.request(anAsk({ principal: at('ana') }))
    await approvals.request(anAsk({ principal: at('bo') }))
    const agent = { ...at('ana'), agent_id: 'x' }
    const agents = await approvals.request(anAsk({ principal: agent }))
    const list = async (by: typeof agent | ReturnType<typeof at>, mine = false) =>
      (await approvals.list(by, { limit: 10, offset: 0, mine })).map((one) => one.approval_id)
    expect((await list(at('ana'))).toSorted()).toEqual(
      [own.row.approval_id, agents.row.approval_id].toSorted(),
    )
    expect(await list(agent)).toEqual([agents.row.approval_id])
    expect(await list({ ...at('eve'), role: 'admin' })).toHaveLength(3)
    expect(await list({ ...at('eve'), role: 'admin' }, true)).toEqual([])
    expect(await list({ ...at('ana'), role: 'admin' }, true)).toEqual(await list(at('ana')))
    expect(await list(aUser('ana', { tenant_id: 'elsewhere' }))).toEqual([])
  })
})

/** With its earlier use, by which it is used once more. */
const approved = {
  ...{ status: 'decided', decision: 'approve', via: 'person', decided_by: 'ana', message: '' },
  ...{ decided_at: expect.any(Number), used_at: expect.any(Number) },
}

/** A question that was not asked before. */
async function expectAnother(asked: Promise<PendingOrDecided>, old: ApprovalRow): Promise<void> {
  const { status, row } = await asked
  expect({ status, asked: row.asked }).toEqual({ status: 'pending', asked: 1 })
  expect(row.approval_id).not.toBe(old.approval_id)
}
