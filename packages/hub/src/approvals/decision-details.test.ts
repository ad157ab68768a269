import { randomBytes } from 'node:crypto'
import { createMasker } from '@dataagent/guard'
import { approvalSchema, type Decision } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import { createKeyring, createVault } from '@dataagent/store/secrets'
import { describeSql } from '@dataagent/store/sql/describe-sql'
import { createFakeClock } from '@dataagent/testkit'
import { afterAll, expect, test } from 'vitest'
import { type ApprovalsOptions, createApprovals } from './approvals.ts'
import type { ApprovalAsk } from './contract.ts'
import { anAsk, aUser, yes } from './test-approvals.ts'

const [ana, bo] = [aUser('ana'), aUser('bo')]
const eve = aUser('eve', { role: 'admin' })
const vault = createVault({ keyring: createKeyring([randomBytes(32)]) })

await describeSql('what is decided beside yes or no', (subject) => {
  const stack = new AsyncDisposableStack()
  afterAll(() => stack.disposeAsync())

  /** Two processes' approvals, and one that was asked. */
  async function asked(fields: Partial<ApprovalAsk> = {}, options: Partial<ApprovalsOptions> = {}) {
    const clock = createFakeClock()
    const kv = stack.use(createMemoryKv({ clock }))
    const rows = subject().store.hub.approvals
    const make = () =>
      stack.use(createApprovals({ rows, kv, masker: createMasker(), clock, vault, ...options }))
    const [approvals, other] = [make(), make()]
    const ask = anAsk({ session_id: 's1', ...fields })
    const { row } = await approvals.request(ask)
    const decide = (by: typeof ana, decision: Partial<Decision>) =>
      other.decide(by, row.approval_id, { ...yes, ...decision } as Decision)
    return { approvals, other, rows, clock, ask, decide, approval_id: row.approval_id }
  }

  test('is given back, in another process too, and ends with the round', async () => {
    const args = { order: '7', note: ['订单', null, 1.5] }
    const { approvals, decide, approval_id, rows } = await asked()
    const decided = await decide(ana, { args, scope: 'tool', message: 'smaller' })
    const decision = { type: 'approve', message: 'smaller', args, scope: 'tool' }
    expect(decided).toMatchObject({ decision })
    const read = await approvals.get(ana, approval_id)
    expect(approvalSchema.parse(read)).toMatchObject({ status: 'decided', decision })
    const late = approvals.decide(ana, approval_id, yes)
    await expect(late).rejects.toMatchObject({ code: 'conflict', data: { decision } })
    const [row] = await rows.getMany([approval_id])
    expect(await approvals.givenArgs(row!, { order: '9' })).toEqual(args)
  })

  test('a no has what belongs to a no, and a yes what belongs to a yes', async () => {
    const rejected = await asked()
    const no = { type: 'reject', on_reject: 'tell', scope: 'always', args: {} } as const
    expect(await rejected.decide(ana, no)).toMatchObject({
      decision: { type: 'reject', message: '', on_reject: 'tell' },
    })
    const read = await rejected.approvals.get(ana, rejected.approval_id)
    expect(Object.keys((read as { decision: object }).decision)).not.toContain('scope')
    const approved = await asked()
    const decided = await approved.decide(ana, { on_reject: 'tell' })
    expect(decided).toMatchObject({ decision: { type: 'approve', message: '' } })
    expect((decided as { decision: object }).decision).not.toHaveProperty('on_reject')
    const [row] = await approved.rows.getMany([approved.approval_id])
    expect(row?.decision_details).toBeNull()
    expect(await approved.approvals.givenArgs(row!, { order: '9' })).toBeUndefined()
  })

  test('a secret that the approver was not shown stays, and one they write is sealed', async () => {
    const secret = 'sk-live-Zm9vYmFyYmF6cXV4MTIz'
    const args = { order: '1', password: 'hunter2-hunter2', list: [{ token: 't-0123456789' }] }
    const { approvals, decide, approval_id, rows } = await asked({ args })
    const shown = (await approvals.get(ana, approval_id)).action_request.args
    expect(shown).toMatchObject({ password: '***', list: [{ token: '***' }] })
    await decide(ana, { args: { ...shown, order: '2', api_key: secret } })
    const [row] = await rows.getMany([approval_id])
    expect(row?.decision_details).not.toContain(secret)
    expect(await approvals.get(ana, approval_id)).toMatchObject({
      decision: { args: { order: '2', password: '***', api_key: '***' } },
    })
    expect(await approvals.givenArgs(row!, args)).toEqual({ ...args, order: '2', api_key: secret })
  })

  test('without a vault, arguments with a secret are refused and nothing is decided', async () => {
    const { approvals, decide, approval_id } = await asked({}, { vault: undefined })
    const giving = decide(ana, { args: { password: 'hunter2-hunter2' } })
    await expect(giving).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await approvals.get(ana, approval_id)).toMatchObject({ status: 'pending' })
  })

  test.each(['tool', 'server', 'always'] as const)(
    'scope %s is for oneself or an administrator to give, not for one it was handed to',
    async (scope) => {
      const { approvals, decide, approval_id } = await asked()
      await approvals.handOver(ana, approval_id, 'bo')
      await expect(decide(bo, { scope })).rejects.toMatchObject({ code: 'forbidden' })
      expect(await decide(eve, { scope })).toMatchObject({ decision: { scope } })
      const own = await asked()
      expect(await own.decide(ana, { scope })).toMatchObject({ decision: { scope } })
      const once = await asked()
      await once.approvals.handOver(ana, once.approval_id, 'bo')
      expect(await once.decide(bo, { scope: 'once' })).toMatchObject({ decided_by: 'bo' })
    },
  )

  test('other arguments are for the one whose call it is to give, or an administrator', async () => {
    const args = { to: 'bo', amount: 99_999 }
    const { approvals, decide, approval_id } = await asked({ args: { to: 'rent', amount: 10 } })
    await approvals.handOver(ana, approval_id, 'bo')
    await expect(decide(bo, { args })).rejects.toMatchObject({
      ...{ code: 'forbidden', message: expect.stringContaining('arguments') },
    })
    expect(await approvals.get(ana, approval_id)).toMatchObject({ status: 'pending' })
    expect(await decide(bo, {})).toMatchObject({ decided_by: 'bo' })
    const rejected = await asked()
    await rejected.approvals.handOver(ana, rejected.approval_id, 'bo')
    const no = { type: 'reject', args } as const
    expect(await rejected.decide(bo, no)).toMatchObject({ decision: { type: 'reject' } })
    for (const by of [ana, eve]) {
      const own = await asked()
      expect(await own.decide(by, { args })).toMatchObject({ decision: { args } })
    }
  })

  test('a scope beyond what the call can have is refused, with the reason', async () => {
    const reach = { scopes: ['once', 'tool'], why: 'it is brought along' } as const
    const { approvals, decide, approval_id } = await asked({ reach })
    expect(await approvals.get(ana, approval_id)).toMatchObject({ action_request: { reach } })
    for (const scope of ['server', 'always'] as const) {
      await expect(decide(eve, { scope })).rejects.toMatchObject({
        ...{ code: 'invalid_request', message: expect.stringContaining(reach.why) },
      })
    }
    expect(await decide(ana, { scope: 'tool' })).toMatchObject({ decision: { scope: 'tool' } })
  })

  test('a scope that cannot hold is refused, and nothing is decided', async () => {
    const gateway = { tenant_id: 't1', user_id: null, role: 'user', group_id: 'g' } as const
    const cases: [Partial<ApprovalAsk>, Decision['scope']][] = [
      [{ session_id: undefined }, 'tool'],
      [{ session_id: undefined }, 'server'],
      [{ principal: gateway }, 'always'],
      [{ tool: { server_id: 'dataagent', name: 'shell' } }, 'server'],
    ]
    for (const [fields, scope] of cases) {
      const { approvals, decide, approval_id } = await asked(fields)
      await expect(decide(eve, { scope: scope! })).rejects.toMatchObject({
        code: 'invalid_request',
      })
      expect(await approvals.get(eve, approval_id)).toMatchObject({ status: 'pending' })
    }
  })

  test('the change that is noted says how far the yes reaches, and no secret', async () => {
    const { decide, approval_id } = await asked()
    await decide(ana, { scope: 'tool', args: { order: '3', password: 'hunter2-hunter2' } })
    const query = { tenant_id: 't1', target: approval_id, limit: 5, offset: 0 }
    const [change] = await subject().store.hub.changes.query(query)
    expect(change).toMatchObject({ action: 'approved', user_id: 'ana' })
    expect(change?.after).toContain('"scope":"tool"')
    expect(JSON.stringify(change)).not.toContain('hunter2')
  })
})
