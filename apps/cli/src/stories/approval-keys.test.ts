import { toolRounds } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { key, openStory, type Story } from './test-story.ts'

const lines = Array.from({ length: 40 }, (_, at) => `order ${at}`)

let platform: TestPlatform
beforeAll(async () => {
  platform = await startWith({})
})
afterAll(() => platform[Symbol.asyncDispose]())

/** Its model wants to send something, which asks. */
async function startWith(env: Record<string, string>): Promise<TestPlatform> {
  const body = lines.join('\n')
  const args = { url: 'https://shop.example.com/orders', method: 'POST', body }
  return startTestPlatform({
    env,
    script: (request) =>
      toolRounds(request) === 0
        ? { toolCalls: [{ name: 'http_request', arguments: args }] }
        : { text: 'It went on.' },
  })
}

async function asked(on: TestPlatform = platform): Promise<Story> {
  const story = await openStory({ platform: on })
  await story.see('Ask anything')
  story.say('send the orders')
  await story.see(/❯ 1 Allow once/)
  return story
}

const newest = async () => (await platform.client.approvals.list({ limit: 1 })).approvals[0]

test('e shows the arguments whole, to be scrolled through, and then the answers as before', async () => {
  await using story = await asked()
  await story.read('e details')
  expect(story.screen().join('\n')).not.toMatch(/^│ +order 1$/m)
  story.write('e')
  await story.see(/^│ +order 1$/m)
  await story.see(/lines 1 to \d+ of 4\d/)
  expect(story.screen().join('\n')).not.toMatch(/^│ +order 39$/m)
  // Until its end: how far a page goes is for the room that there is.
  for (let at = 0; at < 20 && !/^│ +order 39$/m.test(story.screen().join('\n')); at++) {
    const before = story.screen().join('\n')
    story.write('\x1b[6~')
    await expect.poll(() => story.screen().join('\n')).not.toBe(before)
  }
  expect(story.screen().join('\n')).toMatch(/^│ +order 39$/m)
  expect(story.screen().join('\n')).toMatch(/❯ 1 Allow once/)
  story.write('e')
  await expect.poll(() => story.screen().join('\n')).not.toMatch(/^│ +order 39$/m)
  story.write('n')
  await story.see('Stopped')
})

test.each([
  ['1', 'approve', /http_request[\s\S]*It went on\./],
  ['4', 'reject', 'Stopped'],
  ['\x1b', 'reject', 'Stopped'],
])('%j decides: %s', async (pressed, type, shown) => {
  await using story = await asked()
  await story.read('e details')
  story.write(pressed)
  await story.see(shown)
  expect(await newest()).toMatchObject({ decision: { type }, via: 'person' })
  story.write(key.ctrl('c'))
})

test('a question that nobody answers closes itself in its time, and says so', async () => {
  await using hasty = await startWith({ DATAAGENT_APPROVAL_TIMEOUT: '15' })
  await using story = await asked(hasty)
  await story.see(/http_request: nobody answered in time, so it does not run\./, {
    timeoutMs: 60_000,
  })
  await story.see('Ask anything')
  expect(story.screen().join('\n')).not.toContain('Allow once')
  const [last] = (await hasty.client.approvals.list({ limit: 1 })).approvals
  expect(last).toMatchObject({ decision: { type: 'reject' }, via: 'expiry' })
}, 150_000)
