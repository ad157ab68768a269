import { describe, expect, test } from 'vitest'
import type { Status } from './contract.ts'
import { renderStatus } from './status-line.ts'
import { createTheme } from './theme.ts'
import { widthOf } from './width.ts'

const theme = createTheme({ env: { NO_COLOR: '1' }, isTty: true })
const calm: Status = {
  ...{ agent: 'prod-agent', model: 'gpt-x', context: 0.12, approval: 'ask', link: 'live' },
  ...{ cost: 0.03, mcp: { ok: 3, total: 4, attention: 1 } },
  ...{ queued: 0, isRunning: true },
}
const render = (status: Partial<Status>, width = 100, lang: 'en' | 'zh' = 'en') =>
  renderStatus({ ...calm, ...status }, { theme, lang, width })

describe('the line at the bottom', () => {
  test('tells how things stand', () => {
    expect(render({})).toBe('ask · prod-agent · gpt-x · ctx 12% · cost 0.03 · mcp 3✓ 1! · Esc stop')
    expect(render({}, 100, 'zh')).toBe(
      '询问 · prod-agent · gpt-x · 上下文 12% · 费用 0.03 · mcp 3✓ 1! · Esc 停止',
    )
  })

  test('leaves out what is not known', () => {
    const bare = { model: undefined, context: undefined, cost: undefined, mcp: undefined }
    expect(render({ ...bare, isRunning: false })).toBe('ask · prod-agent · ? keys')
  })

  test.each([
    [{ link: 'starting' as const }, 'starting…'],
    [{ link: 'away' as const }, 'reconnecting…'],
    [{ link: 'lost' as const }, 'connection lost'],
    [{ queued: 2 }, '2 queued'],
    [{ mcp: { ok: 1, total: 3, attention: 0 } }, 'mcp 1✓ 2…'],
    [{ cost: 0.0004 }, 'cost 0.0004 ·'],
    [{ cost: 0 }, 'cost 0.00 ·'],
  ])('%j', (status, words) => {
    expect(render(status)).toContain(words)
  })

  test('has a lasting mark where everything is approved by itself [D3.6]', () => {
    const colored = createTheme({ env: { TERM: 'xterm' }, isTty: true })
    const auto = { ...calm, approval: 'auto' as const }
    expect(renderStatus(auto, { theme: colored, lang: 'en', width: 100 })).toContain('\u001b[1m')
    for (let width = 20; width <= 200; width++) {
      expect(render({ approval: 'auto', link: 'away', queued: 3 }, width)).toContain('AUTO-APPROVE')
    }
  })

  test('is never too wide, and loses the least important first', () => {
    for (let width = 1; width <= 200; width++) {
      expect(widthOf(render({ queued: 1, agent: '销售智能体' }, width))).toBeLessThanOrEqual(width)
    }
    expect(render({}, 50)).toBe('ask · prod-agent · gpt-x · mcp 3✓ 1! · Esc stop')
    expect(render({}, 16)).toBe('ask · Esc stop')
  })

  test('takes no escapes from names, and is ASCII where signs are', () => {
    const evil = { agent: '\u001b[31mx\u0007', model: 'a\nb' }
    expect(render(evil)).toMatch(/^ask · x · a b ·/)
    const ascii = createTheme({ env: { NO_COLOR: '1', LANG: 'C' }, isTty: true })
    const status: Status = { ...calm, cost: undefined, approval: 'auto', link: 'away' }
    expect(renderStatus(status, { theme: ascii, lang: 'en', width: 100 })).toMatch(/^[ -~]*$/)
  })
})
