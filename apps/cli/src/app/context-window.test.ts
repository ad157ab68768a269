import type { ContextWeight } from '@dataagent/schema'
import { expect, test } from 'vitest'
import type { Link } from '../link/index.ts'
import { createContextWindow } from './context-window.ts'

const weight = { model: 'm', window: 1_000, system: 100, tools: 50, history: 100, messages: 2 }

/** A session, and what the platform says of its context when the test lets it. */
function openWindow() {
  const session = {
    info: { session_id: 'one' },
    conversation: { isCaughtUp: true, isRunning: false },
    spent: { model: undefined as string | undefined, cost: undefined },
  }
  const asked: PromiseWithResolvers<ContextWeight>[] = []
  const shares: (number | undefined)[] = []
  const context = () => {
    asked.push(Promise.withResolvers())
    return asked.at(-1)!.promise
  }
  const window = createContextWindow({
    session: session as never,
    link: async () => ({ client: { sessions: { context } } }) as unknown as Link,
    onRead: (share) => void shares.push(share),
  })
  return { session, asked, shares, look: window.look }
}

/** The model was used once more. */
const use = () => ({ model: 'm', cost: undefined })

test('the share is what the next call would read, read once after each turn', async () => {
  const { session, asked, shares, look } = openWindow()
  session.conversation.isRunning = true
  session.spent = use()
  look()
  expect(asked).toEqual([])
  session.conversation.isRunning = false
  look()
  look()
  await expect.poll(() => asked).toHaveLength(1)
  asked[0]!.resolve(weight)
  await expect.poll(() => shares).toEqual([0.25])
  session.spent = use()
  look()
  await expect.poll(() => asked).toHaveLength(2)
  asked[1]!.resolve({ ...weight, history: 350 })
  await expect.poll(() => shares).toEqual([0.25, 0.5])
})

test('a session that is left takes its share along, also one that is still being read', async () => {
  const { session, asked, shares, look } = openWindow()
  session.spent = use()
  look()
  await expect.poll(() => asked).toHaveLength(1)
  session.spent = { model: undefined, cost: undefined }
  look()
  asked[0]!.resolve(weight)
  await asked[0]!.promise
  expect(shares).toEqual([undefined])
})

test('where it cannot be read, what is known stays', async () => {
  const { session, asked, shares, look } = openWindow()
  for (const at of [0, 1]) {
    session.spent = use()
    look()
    await expect.poll(() => asked).toHaveLength(at + 1)
    if (at === 0) asked[at]!.resolve(weight)
    else asked[at]!.reject(new Error('away'))
    await expect.poll(() => shares).toEqual([0.25])
  }
})
