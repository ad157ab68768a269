import { createFakeClock } from '@dataagent/testkit'
import { createTestScreen, themes } from '../input/test-screen.ts'
import type { Theme } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import { createApprovalPrompt } from './approval-prompt.ts'
import type { ApprovalRequest, TerminalDecision } from './contract.ts'

export const deleteOrders: ApprovalRequest = {
  name: 'run_sql',
  server: 'orders',
  reason: 'its server says that it is destructive',
  description: 'Runs a statement.\nOn the orders.',
  args: { query: 'delete from orders where id = 7', limit: 10 },
}

export interface Asked {
  request?: ApprovalRequest
  expiresInMs?: number
  lang?: Lang
  theme?: Theme
  rows?: number
  isAcknowledged?: boolean
  place?: () => { at: number; total: number }
}

/** A question as it appears, with the clock and what came of it. */
export function ask(asked: Asked = {}) {
  const clock = createFakeClock()
  const screen = createTestScreen({ rows: asked.rows ?? 30 })
  const decisions: TerminalDecision[] = []
  const closed: string[] = []
  let isGiven = asked.isAcknowledged ?? false
  const { expiresInMs, place } = asked
  const prompt = createApprovalPrompt({
    request: asked.request ?? deleteOrders,
    expires_at: expiresInMs === undefined ? undefined : clock.now() + expiresInMs,
    theme: asked.theme ?? themes.plain,
    lang: asked.lang ?? 'en',
    clock,
    screen,
    acknowledgement: {
      isGiven: () => isGiven,
      give() {
        isGiven = true
      },
    },
    ...(place && { place }),
    onDecide: (decision) => decisions.push(decision),
    onClosed: (line) => closed.push(line),
  })
  prompt.focused = true
  const press = (...keys: string[]) => {
    for (const key of keys) prompt.handleInput(key)
  }
  /** As a person does who has read the question. */
  const later = (...keys: string[]) => {
    for (const key of keys) {
      clock.advance(1000)
      prompt.handleInput(key)
    }
  }
  return { prompt, clock, screen, decisions, closed, press, later, isGiven: () => isGiven }
}
