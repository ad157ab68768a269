import { expect, test } from 'vitest'
import { themes } from '../input/test-screen.ts'
import { renderStatus } from '../ui/index.ts'
import { createStatusBoard } from './status-board.ts'

/** What the line shows of a session that was used like this. */
function openBoard(spent: { model?: string; cost?: number } = {}) {
  const conversation = { isRunning: false, link: { status: 'open' } }
  const session = { conversation, spent: { model: undefined, cost: undefined, ...spent } }
  const board = createStatusBoard({
    ...{ session: { ...session, queued: ['next'] } as never, assistant_id: () => 'default' },
    mode: () => 'ask',
  })
  const show = (lang: 'en' | 'zh' = 'en') =>
    renderStatus(board.read(), { theme: themes.plain, lang, width: 120 })
  return { board, conversation, show }
}

test('what was used stands in the line with a word for it', () => {
  const { board, show } = openBoard({ model: 'gpt-x', cost: 0.034 })
  board.setLink('live')
  board.setContext(0.12)
  board.setServers({ ok: 1, total: 1, attention: 0 })
  const rest = 'default · gpt-x'
  expect(show()).toMatch(`ask · 1 queued · ${rest} · ctx 12% · cost 0.03 · mcp 1`)
  expect(show('zh')).toMatch(`询问 · 1 条排队 · ${rest} · 上下文 12% · 费用 0.03 · mcp 1`)
})

test('what is not known is left out, and a cut line is said', () => {
  const { board, conversation, show } = openBoard()
  board.setLink('live')
  board.setContext(0.5)
  board.setContext(undefined)
  expect(show()).not.toMatch(/ctx|cost|mcp/)
  conversation.link.status = 'waiting'
  expect(show()).toContain('reconnecting')
  board.setLink('lost')
  expect(show()).toContain('connection lost')
})
