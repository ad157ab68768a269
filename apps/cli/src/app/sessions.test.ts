import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Link, openRemote } from '../link/index.ts'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { type CurrentSession, createCurrentSession } from './sessions.ts'

let platform: TestPlatform
let link: Link

beforeAll(async () => {
  platform = await startTestPlatform()
  link = await openRemote(platform)
})
afterAll(async () => {
  await link[Symbol.asyncDispose]()
  await platform[Symbol.asyncDispose]()
})

/** A session whose platform comes when the test says so. */
function openSession() {
  const opening = Promise.withResolvers<Link>()
  const refused: string[] = []
  const said: string[] = []
  let isAuto = false
  const session = createCurrentSession({
    link: () => opening.promise,
    assistant_id: () => 'default',
    isAuto: () => isAuto,
    onEvent(event) {
      if (event.event_type === 'user_message' && 'content' in event) said.push(event.content)
    },
    onChange() {},
    onRefused: (message) => refused.push(message),
    onServersChanged() {},
  })
  return {
    ...{ session, refused, said, opening },
    approveAll: () => {
      isAuto = true
    },
  }
}

const begun = (session: CurrentSession) =>
  expect.poll(() => session.info?.session_id, { timeout: 10_000 }).toBeTypeOf('string')

test('what was said in a session that is left while it begins is not said in the next', async () => {
  const { session, said, opening } = openSession()
  using _ = session
  session.send('too late')
  session.leave()
  session.send('in time')
  opening.resolve(link)
  await expect.poll(() => said, { timeout: 10_000 }).toEqual(['in time'])
})

test('a session that is opened while another begins stays the one that is shown', async () => {
  const shown = await platform.client.sessions.create({ assistant_id: 'default' })
  const { session, opening } = openSession()
  using _ = session
  session.send('never mind')
  const open = session.open(shown)
  opening.resolve(link)
  await open
  expect(session.info?.session_id).toBe(shown.session_id)
})

test('all that waits for a platform that does not come is given back, in order', async () => {
  const { session, refused, opening } = openSession()
  using _ = session
  session.send('one')
  session.send('two')
  opening.reject(new Error('no platform'))
  await expect.poll(() => refused).toEqual(['one\n\ntwo'])
  expect(session.queued).toEqual([])
})

test('a session is made in the approval mode that was chosen by then', async () => {
  const { session, opening, approveAll } = openSession()
  using _ = session
  session.send('hello')
  approveAll()
  opening.resolve(link)
  await begun(session)
  expect(session.info?.auto_approve).toBe(true)
})
