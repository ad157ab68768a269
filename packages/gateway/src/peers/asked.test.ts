import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createAsked } from './asked.ts'
import type { PeerHandler } from './contract.ts'
import type { Letter } from './letter.ts'

function setUp(handler: PeerHandler) {
  const clock = createFakeClock()
  const sent: Letter[] = []
  const stage = { send: async () => true }
  const asked = createAsked({
    ...{ name: 'me', clock, beatMs: 600_000, handlers: new Map([['flood', handler]]) },
    send(_, letter) {
      sent.push(letter)
      return stage.send()
    },
    onError() {},
  })
  const ask = () => asked.receive({ kind: 'ask', from: 'you', ask: 1, message: { kind: 'flood' } })
  const parts = () => sent.flatMap((letter) => (letter.kind === 'part' ? [letter.part] : []))
  return { clock, sent, stage, ask, parts }
}

test('what is told before an answer goes at ten a second, the last before the answer [E5.2]', async () => {
  const over = Promise.withResolvers<void>()
  const { clock, sent, ask, parts } = setUp(async (_, { tellPart }) => {
    for (let at = 0; at < 10_000; at += 1) tellPart(at)
    await over.promise
    tellPart('last')
    return 'done'
  })
  ask()
  expect(parts().length).toBeLessThanOrEqual(20)
  await clock.advanceAsync(100)
  expect(parts().at(-1)).toBe(9_999)
  over.resolve()
  await clock.advanceAsync(0)
  expect(parts().at(-1)).toBe('last')
  expect(sent.at(-1)).toMatchObject({ kind: 'answer', value: 'done' })
})

test('while the store does not take them few are on their way, and what is long is left out', async () => {
  const { clock, stage, ask, parts } = setUp(async (_, { tellPart }) => {
    tellPart('x'.repeat(100_000))
    for (let at = 0; at < 1_000; at += 1) {
      tellPart(at)
      await new Promise<void>((resolve) => clock.after(100, resolve))
    }
  })
  stage.send = () => new Promise(() => {})
  ask()
  await clock.advanceAsync(60_000)
  expect(parts().length).toBeLessThanOrEqual(20)
  expect(parts()[0]).toBe(0)
})
