import { visibleWidth } from '@earendil-works/pi-tui'
import { expect, test } from 'vitest'
import { createHistorySearch } from './history-search.ts'
import { drawOnTerminal, linesOf, themes } from './test-screen.ts'

const entries = ['show orders', 'count users', 'show users\nof 上海', 'drop table']

function open({ theme = themes.plain, lang = 'en' as 'en' | 'zh' } = {}) {
  const seen: string[] = []
  const search = createHistorySearch({
    entries: () => entries,
    theme,
    lang,
    onTake: (text) => seen.push(text),
    onLeave: () => seen.push('left'),
  })
  search.focused = true
  const type = (...keys: string[]) => {
    for (const key of keys) search.handleInput(key)
  }
  return { seen, search, type }
}

test('finds while it is typed, Ctrl+R goes further back, Enter takes', () => {
  const { seen, search, type } = open()
  type('s', 'h', 'o', 'w')
  expect(linesOf(search)[0]).toBe('show users')
  type('\u0012')
  expect(linesOf(search)[0]).toBe('show orders')
  type('\u0012', '\r')
  expect(seen).toEqual(['show orders'])
})

test('Ctrl+R in the form of kitty, Up and Down move through what was found', () => {
  const { seen, type } = open()
  type('\u001b[114;5u', '\u001b[A', '\u001b[B', '\r')
  expect(seen).toEqual(['show users\nof 上海'])
})

test.each(['\u001b', '\u001b[27u', '\u0003'])('%j leaves', (key) => {
  const { seen, type } = open()
  type('x', key)
  expect(seen).toEqual(['left'])
})

test('capitals count where some are typed; where nothing is found, it says so', () => {
  const { seen, search, type } = open({ lang: 'zh' })
  type('S', 'h')
  expect(linesOf(search)[0]).toBe('没有匹配的内容')
  type('\r')
  expect(seen).toEqual(['left'])
})

test('the cursor stands behind what is typed, Chinese too, and lines fit', async () => {
  const { search, type } = open({ theme: themes.colored, lang: 'zh' })
  type('上', '海')
  const { cursor, told, shown } = await drawOnTerminal(search, { columns: 40 })
  expect(cursor).toEqual(told)
  expect(shown[cursor.row]).toBe('搜索: 上海')
  expect(cursor.column).toBe(10)
  for (const line of search.render(12)) expect(visibleWidth(line)).toBeLessThanOrEqual(12)
})
