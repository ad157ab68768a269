import { createFakeClock } from '@dataagent/testkit'
import { setKittyProtocolActive } from '@earendil-works/pi-tui'
import { afterEach, expect, test } from 'vitest'
import { createKeyHandler, defaultBindings, type KeyAction, keyTable } from './keys.ts'

afterEach(() => setKittyProtocolActive(false))

function listen(refused: readonly KeyAction[] = []) {
  const clock = createFakeClock()
  const seen: KeyAction[] = []
  const actions = Object.fromEntries(
    keyTable.map(({ name }) => [
      name,
      () => {
        if (refused.includes(name)) return false
        seen.push(name)
        return true
      },
    ]),
  )
  return { clock, seen, press: createKeyHandler(defaultBindings, actions, clock) }
}

test.each<[KeyAction, string, string]>([
  ['approvalMode', '\u001b[Z', '\u001b[9;2u'],
  ['stop', '\u001b', '\u001b[27u'],
  ['clear', '\u0003', '\u001b[99;5u'],
  ['exit', '\u0004', '\u001b[100;5u'],
  ['redraw', '\f', '\u001b[108;5u'],
  ['expand', '\u000f', '\u001b[111;5u'],
  ['plan', '\u0014', '\u001b[116;5u'],
  ['palette', '\u0010', '\u001b[112;5u'],
  ['editor', '\u0007', '\u001b[103;5u'],
  ['history', '\u0012', '\u001b[114;5u'],
  ['help', '?', '?'],
])('%s is heard from old terminals and from those with kitty keys', (name, legacy, kitty) => {
  const { seen, press, clock } = listen()
  expect(press(legacy)).toBe(true)
  clock.advance(5000)
  setKittyProtocolActive(true)
  expect(press(kitty)).toBe(true)
  expect(seen).toEqual([name, name])
})

test('the second press within a moment is the pair', () => {
  const { seen, press, clock } = listen()
  for (const key of ['\u001b', '\u001b', '\u0003', '\u0003']) {
    press(key)
    clock.advance(200)
  }
  expect(seen).toEqual(['stop', 'editPrevious', 'clear', 'quit'])
})

test('late, or with another key between, it is the first one again', () => {
  const { seen, press, clock } = listen()
  press('\u0003')
  clock.advance(700)
  press('\u0003')
  press('x')
  press('\u0003')
  expect(seen).toEqual(['clear', 'clear', 'clear'])
})

test('an action that does not want the key leaves it to others', () => {
  const { press } = listen(['exit', 'help'])
  expect(press('\u0004')).toBe(false)
  expect(press('?')).toBe(false)
  expect(press('a')).toBe(false)
})

test('where the pair is refused, the key means what it means alone', () => {
  const { seen, press } = listen(['editPrevious'])
  press('\u001b')
  press('\u001b')
  expect(seen).toEqual(['stop', 'stop'])
})
