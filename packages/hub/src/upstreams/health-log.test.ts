import { expect, test } from 'vitest'
import type { UpstreamHealth } from './contract.ts'
import { createHealthLog } from './health-log.ts'

const key = { tenant_id: 'acme', server_id: 'a', user_id: null }
const base: Omit<UpstreamHealth, 'status'> = {
  ...{ ...key, breaker: 'closed', holder: undefined, since: 1 },
}

function logOf(...healths: Pick<UpstreamHealth, 'status' | 'message' | 'breaker'>[]): string[] {
  const lines: string[] = []
  const log = createHealthLog(({ level, text }) => lines.push(`${level} ${text}`))
  for (const health of healths) log({ ...base, ...health })
  return lines
}

const breaker = 'closed'
const connecting = { status: 'stopped', message: 'It is being connected.', breaker } as const
const running = { status: 'running', breaker } as const
const away = { status: 'error', message: 'No answer.', breaker } as const

test('a server is connecting, then running', () => {
  expect(logOf(connecting, connecting, running, running)).toEqual([
    'info connecting',
    'info running',
  ])
})

test('a loss is one warning however often it is tried in vain, and the return one line', () => {
  expect(logOf(running, away, away, connecting, away, running, away)).toEqual([
    'info running',
    'warn unreachable: No answer.',
    'info running',
    'warn unreachable: No answer.',
  ])
})

test('another reason than before is told without a warning', () => {
  expect(logOf(away, { ...away, message: 'A 401.' })).toEqual([
    'warn unreachable: No answer.',
    'info unreachable: A 401.',
  ])
})

test('a server whose calls fail is told once, and once when it is called again', () => {
  const open = { ...running, breaker: 'open' } as const
  const halfOpen = { ...running, breaker: 'half_open' } as const
  expect(logOf(running, open, halfOpen, open, running)).toEqual([
    'info running',
    'warn its calls fail: it is left alone for a while',
    'info it is called again',
  ])
})
