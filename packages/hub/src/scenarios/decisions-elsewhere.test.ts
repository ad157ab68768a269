import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createMemoryKv } from '@dataagent/store/kv'
import { createKeyring, createVault } from '@dataagent/store/secrets'
import { describeSql } from '@dataagent/store/sql/describe-sql'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../define-tool/index.ts'
import { askFor, yes } from './test-asking.ts'
import { startTestHub, toContext } from './test-hub.ts'

const ada = toContext().principal
const inSession = (session_id: string) => toContext({}, { approver: { kind: 'wait' }, session_id })

await describeSql('a decision in another process', (subject) => {
  const stack = new AsyncDisposableStack()
  afterAll(() => stack.disposeAsync())

  /** Two hubs over one database and one KV, and what their tool was run with. */
  async function openTwo() {
    const ran: unknown[] = []
    const send = defineTool({
      name: 'send',
      description: 'Sends it.',
      input: z.object({ to: z.string(), password: z.string().optional() }),
      approval: 'ask',
      run: (args) => void ran.push(args),
    })
    const { path } = stack.use(await temporaryDirectory())
    const shared = {
      kv: stack.use(createMemoryKv()),
      vault: createVault({ keyring: createKeyring([randomBytes(32)]) }),
      key: randomBytes(32),
      tools: [send],
      settings: { defaultAllow: [{ server_id: 'dataagent', tool: 'send' }] },
    }
    const open = (store: { hub: ReturnType<typeof subject>['store']['hub'] }, name: string) =>
      startTestHub({ ...shared, store: store.hub, journalDir: join(path, name) })
    const [here, there] = [
      stack.use(await open(subject().store, 'here')),
      stack.use(await open(subject().open(), 'there')),
    ]
    return { here: here.hub, there: there.hub, ran }
  }

  test('with other arguments and a scope: they run, once, and the scope holds in both', async () => {
    const { here, there, ran } = await openTwo()
    const args = { to: 'ada', password: 'hunter2-hunter2' }
    const { approval_id, outcome } = await askFor(here, inSession('s1'), { tool: 'send', args })
    const { action_request } = await there.approvals.get(ada, approval_id)
    const misfit = there.approvals.decide(ada, approval_id, { ...yes, args: { to: 1 } })
    await expect(misfit).rejects.toMatchObject({ code: 'invalid_arguments' })
    const given = { ...action_request.args, to: 'bo' }
    await there.approvals.decide(ada, approval_id, { ...yes, args: given, scope: 'tool' })
    expect(await outcome).toMatchObject({ status: 'ok' })
    expect(ran).toEqual([{ to: 'bo', password: 'hunter2-hunter2' }])
    const again = { tool: 'send', args: { to: 'cy' } }
    expect(await here.callTool(inSession('s1'), again)).toMatchObject({ status: 'ok' })
    await waitFor(() => there.policy.rules(ada).some((rule) => rule.session_id === 's1'))
    expect(await there.callTool(inSession('s1'), again)).toMatchObject({ status: 'ok' })
    const elsewhere = toContext({}, { session_id: 's2' })
    expect(await there.callTool(elsewhere, again)).toMatchObject({ status: 'denied' })
  })

  test('is used once, by whichever process makes the call', async () => {
    const { here, there, ran } = await openTwo()
    const held = toContext({}, { approver: { kind: 'hold', holdMs: 20 } })
    const call = { tool: 'send', args: { to: 'held' } }
    const { approval_id, outcome } = await askFor(here, held, call)
    expect(await outcome).toMatchObject({ status: 'denied', error: { approval_id } })
    await there.approvals.decide(ada, approval_id, { ...yes, args: { to: 'given' } })
    const outcomes = await Promise.all([here.callTool(held, call), there.callTool(held, call)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['denied', 'ok'])
    expect(ran).toEqual([{ to: 'given' }])
  })
})
