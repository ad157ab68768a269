import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { collect, person, textOf } from '../engine/test-engine.ts'
import { describeSessionStores } from '../session/test-session-stores.ts'
import { manageAgents } from './test-managed-agents.ts'

const owner = { tenant_id: person.tenant_id, user_id: 'ada', assistant_id: 'helper' }
const page = { limit: 10, offset: 0 }

await describeSessionStores('an agent in a session', (subject) => {
  const open = (model?: string) => manageAgents([subject().stores, subject().other], model)

  test('is taken up by another process, with its history [D13.5] [D25.8] [D26.1]', async () => {
    await using place = await open()
    const { manager, elsewhere, engine } = place
    const { other } = subject()
    const session = await manager.getOrCreateSession(owner)
    const { session_id } = session
    const executor = await manager.getExecutor(session)
    const first = await collect(executor.execute('one?', session_id, { principal: person }))
    const again = await elsewhere.getExecutor(await elsewhere.getSession(owner, session_id))
    const second = await collect(again.execute('two?', session_id, { principal: person }))
    expect(engine.standIn.requests[1]?.turns.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['one?', textOf(first), 'two?']),
    )
    const history = await other.messages.list(session_id, page)
    expect(history.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'one?'],
      ['assistant', textOf(first)],
      ['user', 'two?'],
      ['assistant', textOf(second)],
    ])
  })

  test('runs once at a time, and is saved also when its reader has left', async () => {
    await using place = await open('standin-itl20-len200')
    const { manager, elsewhere } = place
    const { stores } = subject()
    const session = await manager.getOrCreateSession(owner)
    const { session_id } = session
    const executor = await manager.getExecutor(session)
    const busy = await elsewhere.getExecutor(await elsewhere.getSession(owner, session_id))
    for await (const event of executor.execute('long?', session_id, { principal: person })) {
      if (event.event_type !== 'text') continue
      const [refused] = await collect(busy.execute('me too', session_id, { principal: person }))
      expect(refused).toMatchObject({ event_type: 'error', error_code: 'unavailable' })
      break
    }
    await waitFor(async () => (await stores.messages.count(session_id)) === 2, {
      timeoutMs: 10_000,
    })
    const [asked, said] = await stores.messages.list(session_id, page)
    expect(asked).toMatchObject({ role: 'user', content: 'long?' })
    expect(said?.content.length).toBeGreaterThan(0)
  })
})
