import { join } from 'node:path'
import { createFakeClock, temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createHistory, defaultBindings } from '../input/index.ts'
import { createTestScreen, themes } from '../input/test-screen.ts'
import { createScreenStage } from './screen-stage.ts'
import type { Backstage } from './stage.ts'

const ctrlC = '\x03'

/** A stage with nothing under way, and what came of the keys. */
async function open() {
  const directory = await temporaryDirectory()
  const clock = createFakeClock()
  const printed: string[] = []
  let press: (key: string) => boolean = () => false
  let hasQuit = false
  const screen = {
    ...createTestScreen(),
    print: (lines: readonly string[]) => void printed.push(...lines),
    onKey(handle: (key: string) => boolean) {
      press = handle
      return () => {}
    },
  }
  const backstage = {
    ...{ theme: () => themes.plain, lang: () => 'en', queued: () => [], stop: () => false },
    commandSince: () => undefined,
    quit() {
      hasQuit = true
    },
  } as unknown as Backstage
  const history = createHistory({ file: join(directory.path, 'history') })
  const parts = { screen, clock, history, bindings: defaultBindings, env: {} }
  const stage = createScreenStage({ ...parts, complete: async () => [] }, backstage)
  return {
    ...{ stage, clock, printed, hasQuit: () => hasQuit },
    press: (key: string) => press(key),
    async [Symbol.asyncDispose]() {
      stage[Symbol.dispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}

test('what is said about leaving can be read before it is done', async () => {
  await using at = await open()
  at.press(ctrlC)
  expect(at.printed).toEqual(['Ctrl+C once more leaves'])
  at.clock.advance(1_900)
  at.press(ctrlC)
  expect(at.hasQuit()).toBe(true)
})

test('later it is said again', async () => {
  await using at = await open()
  for (const _ of [1, 2]) {
    at.press(ctrlC)
    at.clock.advance(2_100)
  }
  expect([at.printed.length, at.hasQuit()]).toEqual([2, false])
})

test('what is typed meanwhile is cleared, not left with', async () => {
  await using at = await open()
  at.press(ctrlC)
  at.stage.giveBack('a message')
  at.clock.advance(1_000)
  at.press(ctrlC)
  expect(at.hasQuit()).toBe(false)
})
