import type { HITLHandler } from '@dataagent/core'
import type { Approval, ServerInfo } from '@dataagent/schema'
import { type Script, startHostileHttp, toolRounds, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { Config } from '../config/index.ts'
import { people, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { callsOnce, countsOnce, openWebPerson, toCall } from './test-web-person.ts'
import { createWebHITLHandler } from './web-hitl-handler.ts'

const yes = { type: 'approve', message: 'Go on.' } as const
const no = { type: 'reject', message: 'Not now.' } as const
const action = { name: 'send', args: { to: 'bo' }, description: 'Sends.' }
const order = 'use the mall.count tool'

describe('the handler by itself', () => {
  const approved = { status: 'decided' } as Approval

  test('leaves what was asked to the record, where a decision goes once [D3.1] [D3.3]', async () => {
    const recorded: unknown[] = []
    const decide = async (...given: unknown[]) => {
      recorded.push(given)
      return approved
    }
    const handler = createWebHITLHandler({ approvals: { decide } })
    const { signal } = new AbortController()
    let isAnswered = false
    const asked: HITLHandler = handler
    const answer = asked.requestApproval(action, 's1', { approval_id: 'a1', signal })
    void answer.then(() => (isAnswered = true))
    expect(await handler.decide(people.ada, 'a1', no)).toBe(approved)
    expect(recorded).toEqual([[people.ada, 'a1', no]])
    expect(isAnswered).toBe(false)
  })

  test('a decision that the record refuses is told to who decided', async () => {
    const decide = () => Promise.reject(new Error('decided already'))
    const handler = createWebHITLHandler({ approvals: { decide } })
    await expect(handler.decide(people.ada, 'a1', yes)).rejects.toThrow('decided already')
  })

  test('what has no approval behind it is rejected', async () => {
    const handler = createWebHITLHandler({ approvals: { decide: async () => approved } })
    expect(await handler.requestApproval(action, 's1')).toMatchObject({ type: 'reject' })
  })
})

describe('over the socket of a session', () => {
  test('what asks goes out as an event, and a yes runs the tool once [D18.1] [D18.2] [D18.3] [D3.2]', async () => {
    await using scene = await startScene()
    const { server, mall } = scene
    await using ada = await openWebPerson(server)
    ada.say(order)
    const { approval_id, action_request } = await ada.next('hitl_request')
    expect(action_request).toMatchObject({ args: {}, description: expect.any(String) })
    expect(mall.notes('effect')).toEqual([])
    ada.decide(approval_id, yes)
    expect(await ada.next('approval_decided')).toMatchObject({ decision: yes, decided_by: 'ada' })
    expect(await ada.next('done')).toMatchObject({ cancelled: false })
    expect(mall.notes('effect')).toEqual(['count'])
  })

  test('what a person decides at the socket is recorded once', async () => {
    await using scene = await startScene()
    const { server } = scene
    await using ada = await openWebPerson(server)
    const { approvals } = server.platform.hub
    const { decide } = approvals
    let decided = 0
    approvals.decide = (...given) => {
      decided += 1
      return decide(...given)
    }
    ada.say(order)
    ada.decide((await ada.next('hitl_request')).approval_id, yes)
    await ada.next('done')
    expect(decided).toBe(1)
  })

  test('a no ends the run [D18.3] [D3.4]', async () => {
    await using scene = await startScene()
    const { server, mall } = scene
    await using ada = await openWebPerson(server)
    ada.say(order)
    ada.decide((await ada.next('hitl_request')).approval_id, no)
    expect(await ada.next('done')).toMatchObject({ cancelled: true })
    expect(mall.notes('effect')).toEqual([])
  })

  test('no answer in time is a rejection [D18.4] [D18.5]', async () => {
    await using scene = await startScene({ approval_timeout: 1 })
    const { server, mall } = scene
    await using ada = await openWebPerson(server)
    ada.say(order)
    const { approval_id } = await ada.next('hitl_request')
    expect(await ada.next('done')).toMatchObject({ cancelled: true })
    const { body } = await server.ask('GET', `/approvals/${approval_id}`)
    expect(body).toMatchObject({ status: 'decided', via: 'expiry', decision: { type: 'reject' } })
    expect(mall.notes('effect')).toEqual([])
  })

  test('an administrator who decides in the inbox is faster: the run goes on by that [D18.3]', async () => {
    await using scene = await startScene()
    const { server, mall } = scene
    await using ada = await openWebPerson(server)
    ada.say(order)
    const { approval_id } = await ada.next('hitl_request')
    const path = `/approvals/${approval_id}/decide`
    expect((await server.ask('POST', path, { as: 'boss', json: yes })).status).toBe(200)
    expect(await ada.next('approval_decided')).toMatchObject({ decided_by: 'boss' })
    expect(await ada.next('done')).toMatchObject({ cancelled: false })
    expect(mall.notes('effect')).toEqual(['count'])
  })

  test('a decision that another process receives holds too [D18.3]', async () => {
    await using scene = await startScene()
    const { server, mall } = scene
    await using other = await startTestPlatform({ dir: server.dir })
    await using ada = await openWebPerson(server)
    ada.say(order)
    const { approval_id } = await ada.next('hitl_request')
    const decided = await other.platform.hitl.decide(people.ada, String(approval_id), yes)
    expect(decided).toMatchObject({ status: 'decided', decided_by: 'ada' })
    expect(await ada.next('done')).toMatchObject({ cancelled: false })
    expect(mall.notes('effect')).toEqual(['count'])
  })

  test('over REST nobody can be asked: what asks is denied, and the answer says so [D3.5] [T39]', async () => {
    await using scene = await startScene()
    const { server, mall } = scene
    const { status, body } = await server.ask<{ events: Record<string, unknown>[] }>(
      ...(['POST', '/chat', { json: { message: order } }] as const),
    )
    expect(status).toBe(200)
    const results = body.events.filter(({ event_type }) => event_type === 'tool_result')
    expect(results).toMatchObject([{ outcome: 'denied' }])
    expect(mall.notes('effect')).toEqual([])
  })

  test('auto_approve of the session approves, and the audit names it [D3.5]', async () => {
    await using scene = await startScene({}, callsOnce('touch'))
    const { server, mall } = scene
    await using ada = await openWebPerson(server)
    await autoApprove(server, ada.session_id)
    ada.say(order)
    expect(await ada.next('done')).toMatchObject({ cancelled: false })
    expect(ada.events.filter(({ event_type }) => event_type === 'hitl_request')).toEqual([])
    expect(mall.notes('effect')).toEqual(['touch'])
    const found = await waitFor(async () => {
      const { body } = await server.ask<{ calls: { decided_by: string }[] }>('GET', '/audit/calls')
      return body.calls[0]
    })
    expect(found.decided_by).toContain('auto_approve of the session')
  })

  test.each(['session', 'agent'])(
    'auto_approve of the %s approves no longer than its tenant has that feature, also in a run [T43]',
    async (whose) => {
      const held = Promise.withResolvers<void>()
      const twice: Script = async (request) => {
        const rounds = toolRounds(request)
        if (rounds === 1) await held.promise
        return rounds < 2 ? toCall('touch', request) : { text: 'All done.' }
      }
      await using scene = await startScene({}, twice)
      const { server, mall } = scene
      await using ada = await openWebPerson(server)
      if (whose === 'session') await autoApprove(server, ada.session_id)
      else {
        const changed = { as: 'boss', json: { auto_approve: true } } as const
        expect((await server.ask('PUT', '/agents/default', changed)).status).toBe(200)
      }
      ada.say(order)
      await ada.next('tool_result')
      expect(mall.notes('effect')).toEqual(['touch'])
      const off = { as: 'operator', json: { features_enabled: ['*', '-auto_approve'] } } as const
      expect((await server.ask('PATCH', '/tenants/acme', off)).status).toBe(200)
      held.resolve()
      const { approval_id } = await ada.next('hitl_request')
      ada.decide(approval_id, no)
      expect(await ada.next('done')).toMatchObject({ cancelled: true })
      expect(mall.notes('effect')).toEqual(['touch'])
    },
  )

  test('what is destructive is decided by a person, whatever the session has set [T43]', async () => {
    await using scene = await startScene()
    const { server, mall } = scene
    await using ada = await openWebPerson(server)
    await autoApprove(server, ada.session_id)
    ada.say(order)
    const { approval_id } = await ada.next('hitl_request')
    expect(mall.notes('effect')).toEqual([])
    ada.decide(approval_id, yes)
    expect(await ada.next('done')).toMatchObject({ cancelled: false })
    expect(mall.notes('effect')).toEqual(['count'])
  })
})

async function autoApprove(server: TestPlatform, session_id: string): Promise<void> {
  const json = { auto_approve: true }
  expect((await server.ask('PATCH', `/sessions/${session_id}`, { json })).status).toBe(200)
}

/** A server whose tools `count`, which is destructive, and `touch` ask. */
async function startScene(config: Partial<Config> = {}, script: Script = countsOnce) {
  await using cleanup = new AsyncDisposableStack()
  const mall = cleanup.use(await startHostileHttp('none'))
  const server = cleanup.use(await startTestPlatform({ script, config }))
  const toolApproval = { touch: 'ask' }
  const json = { config: { name: 'mall', url: mall.url, toolApproval } }
  const added = await server.ask<ServerInfo>('POST', '/mcp-servers', { as: 'boss', json })
  await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id: added.body.server_id })
  const moved = cleanup.move()
  return { server, mall, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}
