import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Reply, temporaryDirectory, toolRounds } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraser, greeter } from '../testing/test-greeter.ts'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { key, openStory, type Story } from './test-story.ts'

let platform: TestPlatform

beforeAll(async () => {
  platform = await startTestPlatform({
    script(request) {
      const asked = request.turns.findLast(({ role }) => role === 'user')?.text ?? ''
      const toolOf = (part: string) =>
        request.tools.find(({ name }) => name.includes(part))?.name ?? ''
      return replyTo(asked, toolRounds(request), toolOf)
    },
  })
  // Servers that the user added: each of their tools is asked for once in a session.
  const { client, user_id } = platform
  await client.userServers.create(user_id, { name: 'greeter', ...greeter })
  await client.userServers.create(user_id, { name: 'eraser', ...eraser })
})
afterAll(() => platform[Symbol.asyncDispose]())

/** It asks: a request that is not a mere look. */
function post() {
  const url = `${platform.url}/api/v1/health`
  return { name: 'http_request', arguments: { url, method: 'POST', body: '{"订单":1}' } }
}

function replyTo(asked: string, rounds: number, toolOf: (part: string) => string): Reply {
  if (asked.includes('greet') && rounds === 0) {
    return { toolCalls: [{ name: toolOf('hello'), arguments: {} }] }
  }
  if (asked.includes('erase') && rounds === 0) {
    return { toolCalls: [{ name: toolOf('erase'), arguments: {} }] }
  }
  if (asked.includes('twice') && rounds < 2) return { toolCalls: [post()] }
  if (asked.includes('both') && rounds === 0) return { toolCalls: [post(), post()] }
  if (asked.includes('post') && rounds === 0) return { toolCalls: [post()] }
  return { text: `Done with ${asked}.` }
}

const question = /1.*y.*\n.*2.*s.*\n.*3.*a.*\n.*4.*n/i

async function asked(text: string): Promise<Story> {
  const story = await openStory({ platform })
  await story.see('Ask anything')
  story.say(text)
  await story.read(question)
  return story
}

describe('an approval in the terminal [D3.6]', () => {
  test('shows what is asked, is allowed once with y, and asked again the next time', async () => {
    await using story = await asked('post twice')
    const shown = story.screen().join('\n')
    expect(shown).toContain('http_request')
    expect(shown).toContain('POST')
    story.write('y')
    await story.read(/✓ http_request[\s\S]*1 Allow once/)
    story.write('n')
    await story.see('Stopped')
    expect(story.all().join('\n')).not.toMatch(/elsewhere/)
  })

  test('with s the tool is not asked for again in the session', async () => {
    await using story = await asked('greet me')
    story.write('s')
    await story.see('Done with greet me.')
    story.say('greet again')
    await story.see('Done with greet again.')
  })

  test('arrows and Enter choose: down to the last one rejects', async () => {
    await using story = await asked('post it')
    for (const at of [2, 3, 4]) {
      story.write(key.down)
      await story.see(new RegExp(`❯ ${at}`))
    }
    story.write(key.enter)
    await story.see('Stopped')
    const approvals = await platform.client.approvals.list({ limit: 1 })
    expect(approvals.approvals[0]).toMatchObject({ decision: { type: 'reject' }, via: 'person' })
  })

  test('a reason goes with a rejection', async () => {
    await using story = await asked('post it')
    story.write(key.tab)
    story.write('not on Fridays')
    await story.see('not on Fridays')
    story.write(key.enter)
    await story.see('Stopped')
    const [newest] = (await platform.client.approvals.list({ limit: 1 })).approvals
    expect(newest).toMatchObject({ decision: { type: 'reject', message: 'not on Fridays' } })
  })

  test('answered elsewhere it closes itself and says so', async () => {
    await using story = await asked('post it')
    const [pending] = (await platform.client.approvals.list({ status: 'pending' })).approvals
    await platform.client.approvals.decide(pending!.approval_id, { type: 'approve' })
    await story.see('Done with post it.')
    await story.see('Ask anything')
    await story.see(/elsewhere/i, { anywhere: true })
  })

  test('with a, once acknowledged, everything is approved, and a lasting mark says so', async () => {
    await using story = await asked('post twice')
    story.write('a')
    await story.read('Rules that deny still hold')
    story.write('y')
    await story.see('Done with post twice.')
    await expect.poll(() => story.screen().at(-1)).toMatch(/auto/i)
    story.say('post again')
    await story.see('Done with post again.')
    await expect.poll(() => story.screen().at(-1)).toMatch(/auto/i)
  })

  test('where the organisation forbids it, a approves nothing, and each is asked again', async () => {
    const { tenants, approvals } = platform.client
    await tenants.update('default', { features_enabled: ['*', '-auto_approve'] })
    await using _allowed = {
      [Symbol.asyncDispose]: async () =>
        void (await tenants.update('default', { features_enabled: ['*'] })),
    }
    await using story = await asked('both at once')
    await story.read('1 of 2')
    story.write('a')
    await story.read('Rules that deny still hold')
    story.write('y')
    await story.see(/decision was not taken: .*does not allow/, { anywhere: true })
    await story.read('1 of 2')
    const { approvals: newest } = await approvals.list({ limit: 2 })
    expect(newest.map(({ status }) => status)).toEqual(['pending', 'pending'])
    story.write('y')
    await story.read('2 of 2')
    story.write('y')
    await story.see('Done with both at once.')
  })

  test('in auto mode a deny rule still holds', async () => {
    const { client } = platform
    const { rule_id } = await client.policy.addRule({
      ...{ tier: 'tenant', subject: { kind: 'tenant', id: '*' }, effect: 'deny' },
      ...{ server_id: 'dataagent', tool: 'http_request' },
    })
    await using story = await openStory({ platform })
    await story.see('Ask anything')
    story.write(key.shiftTab)
    await story.read('Rules that deny still hold')
    story.write('y')
    await story.see('AUTO-APPROVE')
    story.say('post it')
    await story.see('Done with post it.')
    expect(story.all().join('\n')).toMatch(/✗ http_request|denied/i)
    await client.policy.deleteRule(rule_id)
  })

  test('what a session asks that approves by itself, as was set elsewhere, a person answers, or widens it', async () => {
    await using home = await temporaryDirectory()
    // This person was told weeks ago what approving everything means.
    await mkdir(join(home.path, '.deepagents'))
    const choices = join(home.path, '.deepagents', 'preferences.json')
    await writeFile(choices, JSON.stringify({ knowsAutoApprove: true }))
    const { sessions, connect } = platform.client
    const { session_id } = await sessions.create({ assistant_id: 'default' })
    await sessions.update(session_id, { auto_approve: true })
    const waits = Promise.withResolvers<void>()
    using socket = connect(session_id, {
      onEvent: ({ event_type }) => event_type === 'hitl_request' && waits.resolve(),
    })
    await socket.send('erase it').accepted
    await waits.promise
    await using story = await openStory({ platform, home, args: ['--resume', session_id] })
    await story.read(question)
    await story.see('This session is set to approve by itself', { anywhere: true })
    await story.see(/^ask · /m)
    expect(await statusOfNewest()).toBe('pending')
    story.write('y')
    await story.see('Done with erase it.')
    await story.see('Ask anything')
    story.write(key.shiftTab)
    await story.see('AUTO-APPROVE')
    story.say('erase that')
    await story.see('Done with erase that.')
  })

  test('where it is ended elsewhere, an open terminal asks again, and says so', async () => {
    await using story = await asked('post it')
    story.write('a')
    await story.read('Rules that deny still hold')
    story.write('y')
    await story.see('Done with post it.')
    const [newest] = (await platform.client.sessions.list({ limit: 1 })).sessions
    await platform.client.sessions.update(newest!.session_id, { auto_approve: false })
    story.say('erase that')
    await story.read(question)
    await story.see('approves nothing by itself any more', { anywhere: true })
    expect(await statusOfNewest()).toBe('pending')
    expect(story.screen().at(-1)).toMatch(/^ask/)
    story.write('n')
    await story.see('Stopped')
  })
})

async function statusOfNewest(): Promise<string | undefined> {
  return (await platform.client.approvals.list({ limit: 1 })).approvals[0]?.status
}
