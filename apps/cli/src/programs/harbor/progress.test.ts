import type { Progress } from '@dataagent/harbor'
import type { Load } from '@dataagent/schema'
import { expect, test } from 'vitest'
import type { Lang } from '../../words/index.ts'
import { createProgress } from './progress.ts'

const esc = '\x1b'

const closed: Load = {
  ...{ mode: 'closed', concurrency: 4, ramp_seconds: 0, warm_up_seconds: 0 },
  duration_seconds: null,
}

const progress = (fields: Partial<Progress> = {}): Progress => ({
  ...{ phase: 'running', elapsed_ms: 10_000, total: 40, under_way: 4, recent: [] },
  counts: { total: 10, passed: 8, failed: 1, error: 1, timeout: 0 },
  ...{ throughput: 2, p50_ms: 1_200, p95_ms: 3_000, p99_ms: 12_000, late_p99_ms: 250 },
  ...fields,
})

interface Look {
  isTTY?: boolean
  lang?: Lang
  load?: Load
}

function open({ isTTY = false, lang = 'en', load = closed }: Look = {}) {
  let written = ''
  const write = (text: string) => {
    written += text
    return true
  }
  const view = createProgress({ stderr: { isTTY, columns: 70, write }, lang, load })
  return { view, written: () => written }
}

test('without a terminal it is a line now and then', () => {
  const { view, written } = open()
  for (let elapsed_ms = 0; elapsed_ms <= 12_000; elapsed_ms += 250)
    view.show(progress({ elapsed_ms }))
  const lines = written().trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toBe(
    '10/40 · passed 8 · failed 1 · errors 1 · 4 under way · 2.0/s · p50 1.20 s p95 3.00 s p99 12.0 s · 0:05 gone · about 0:15 left',
  )
})

test('a rate says how late its questions begin, and a duration what is left of it', () => {
  const rate: Load = { ...closed, mode: 'rate', rate: 5, duration_seconds: 60 }
  const { view, written } = open({ load: rate })
  view.show(progress({ total: null, phase: 'stopping' }))
  expect(written()).toMatch(
    /^10 · stopping · .* · late p99 0\.25 s · 0:10 gone · about 0:50 left\n$/,
  )
})

test('reading what is expected is said, and time begins anew after it', () => {
  const { view, written } = open()
  for (const elapsed_ms of [5_000, 60_000]) view.show(progress({ phase: 'reading', elapsed_ms }))
  for (const elapsed_ms of [0, 5_000]) view.show(progress({ elapsed_ms }))
  const lines = written().trimEnd().split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toContain('10/40 · reading what is expected · ')
  expect(lines[2]).toContain('0:05 gone')
})

test('in Chinese', () => {
  const { view, written } = open({ lang: 'zh' })
  view.show(progress())
  expect(written()).toContain('通过 8 · 未通过 1 · 出错 1 · 进行中 4')
})

test('on a terminal it takes two lines, never wider than it, and leaves none', () => {
  const { view, written } = open({ isTTY: true })
  view.show(progress())
  view.say('Stopping')
  view.show(progress())
  view[Symbol.dispose]()
  const shown = written()
  expect(shown.split(`${esc}[1A`).length).toBeGreaterThan(4)
  expect(shown).toContain('█████░░░░░░░░░░░░░░░ 10/40')
  expect(shown.endsWith(`${esc}[?25h`)).toBe(true)
  const lines = shown.split(esc).flatMap((piece) => piece.replace(/^\[[?\d]*\w/, '').split('\n'))
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(70)
})
