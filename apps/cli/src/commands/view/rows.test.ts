import { visibleWidth } from '@earendil-works/pi-tui'
import { expect, test } from 'vitest'
import { createTheme } from '../../ui/index.ts'
import { toBar, toRows } from './rows.ts'

test('columns stand under each other, also in Chinese, and the last is cut to the width', () => {
  const rows = [
    ['orders', '12', 'x'.repeat(80)],
    ['订单', '3', '查询订单的工具，'.repeat(12)],
  ]
  const lines = toRows(rows, { width: 60, right: [1] })
  expect(lines.map(visibleWidth).every((width) => width <= 60)).toBe(true)
  expect(lines[0]).toMatch(/^ {2}orders {2}12 {2}x+…$/)
  expect(lines[1]).toMatch(/^ {2}订单 {4} 3 {2}查询/)
})

test('a bar is as long as its share, and shows that something is there', () => {
  const theme = createTheme({ env: {}, isTty: false })
  expect([toBar(0, 4, theme), toBar(0.001, 4, theme), toBar(2, 4, theme)]).toEqual([
    ...['────', '█───', '████'],
  ])
})
