import { describe, expect, test } from 'vitest'
import {
  chooseAll,
  countChosen,
  everything,
  hasLater,
  isChosen,
  remainders,
  setLater,
  toggle,
} from './tool-choice.ts'

const tool = (server_id: string, name: string) => ({ server_id, name })
const entry = (server_id: string, tool: string) => ({ server_id, tool })
const list = tool('mall', 'order.list')
const get = tool('mall', 'order.get')
const search = tool('mall', 'product.search')
const own = tool('dataagent', 'get_user')
const offered = [list, get, search, own]

describe('the tools of a group', () => {
  test('are taken in by name and out again', () => {
    const one = toggle([], get, offered)
    expect(one).toEqual([entry('mall', 'order.get')])
    expect(toggle(one, get, offered)).toEqual([])
  })

  test('fit patterns as the server reads them', () => {
    expect(isChosen([entry('mall', 'order.*')], list)).toBe(true)
    expect(isChosen([entry('mall', 'order.*')], search)).toBe(false)
    expect(isChosen([entry('other', 'order.*')], list)).toBe(false)
    expect(isChosen([entry('mall', 'order?get')], get)).toBe(true)
    expect(isChosen([entry('mall', 'order.[gx]et')], get)).toBe(true)
    expect(isChosen([entry('mall', '*')], tool('mall', 'a/b'))).toBe(true)
    expect(isChosen([entry('mall', 'a*')], tool('mall', 'a/b'))).toBe(false)
    expect(isChosen(everything, own)).toBe(true)
  })

  test('one that leaves a pattern leaves the others in, by name', () => {
    expect(toggle([entry('mall', 'order.*')], get, offered)).toEqual([entry('mall', 'order.list')])
    expect(countChosen(toggle(everything, own, offered), offered)).toBe(3)
  })

  test('of one server are taken in and out together, and others stay', () => {
    const tools = [list, get, search]
    const before = [entry('dataagent', 'get_user'), entry('mall', 'order.get')]
    const all = chooseAll(before, { server_id: 'mall', tools, isOn: true })
    expect(countChosen(all, offered)).toBe(4)
    expect(chooseAll(all, { server_id: 'mall', tools, isOn: false })).toEqual([
      entry('dataagent', 'get_user'),
    ])
  })

  test('may hold those that a server will have later', () => {
    const tools = [list, get, search]
    const later = setLater([entry('mall', 'order.get')], { server_id: 'mall', tools, isOn: true })
    expect(later).toEqual([entry('mall', '*')])
    expect(hasLater(later, 'mall')).toBe(true)
    expect(hasLater(later, 'dataagent')).toBe(false)
    const now = setLater(later, { server_id: 'mall', tools, isOn: false })
    expect(countChosen(now, offered)).toBe(3)
    expect(hasLater(now, 'mall')).toBe(false)
  })

  test('that no server offers now are kept apart, and so are patterns', () => {
    const entries = [
      ...[entry('mall', 'order.*'), entry('away', '*'), entry('mall', 'gone')],
      ...[entry('mall', 'order.get'), entry('mall', '*')],
    ]
    expect(remainders(entries, offered)).toEqual(entries.slice(0, 3))
  })

  test('a name with signs of a pattern means itself alone', () => {
    const odd = tool('mall', 'what?')
    const [chosen] = toggle([], odd, [odd])
    expect(chosen).toEqual(entry('mall', 'what\\?'))
    expect(isChosen([entry('mall', 'what\\?')], odd)).toBe(true)
    expect(isChosen([entry('mall', 'what\\?')], tool('mall', 'whats'))).toBe(false)
    expect(remainders([entry('mall', 'what\\?')], [odd])).toEqual([])
  })
})
