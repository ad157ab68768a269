import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHold } from './hold.ts'

let before: number
const heldMore = () => timersThatHold() - before
const timersThatHold = () =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

let hold: ReturnType<typeof createHold>

beforeEach(() => {
  before = timersThatHold()
  hold = createHold()
})
afterEach(() => hold.close())

test('holds nothing before it is asked to', () => {
  expect(heldMore()).toBe(0)
})

test('holds until it was released as often as it was asked to hold', () => {
  hold.hold()
  hold.hold()
  hold.release()
  expect(heldMore()).toBe(1)
  hold.release()
  expect(heldMore()).toBe(0)
})

test('holds again after a release', () => {
  hold.hold()
  hold.release()
  hold.hold()
  expect(heldMore()).toBe(1)
})

test('a release too many takes nothing from the next hold', () => {
  hold.release()
  hold.hold()
  expect(heldMore()).toBe(1)
})

test('once closed it holds nothing, whatever is asked', () => {
  hold.hold()
  hold.close()
  hold.hold()
  hold.release()
  hold.close()
  expect(heldMore()).toBe(0)
})
