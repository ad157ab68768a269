import { askingReasons } from '@dataagent/testkit'
import { CURSOR_MARKER, setKittyProtocolActive, visibleWidth } from '@earendil-works/pi-tui'
import { afterEach, describe, expect, test } from 'vitest'
import { drawOnTerminal, linesOf, themes } from '../input/test-screen.ts'
import type { ApprovalRequest, TerminalDecision } from './contract.ts'
import { ask, deleteOrders } from './test-approval.ts'

afterEach(() => setKittyProtocolActive(false))

const [up, down, enter, esc, tab] = ['\u001b[A', '\u001b[B', '\r', '\u001b', '\t']

test('says what is asked, why, with which arguments, and what can be answered [D3.6]', () => {
  const { prompt } = ask({ expiresInMs: 272_000, place: () => ({ at: 1, total: 3 }) })
  expect(linesOf(prompt)).toEqual([
    `${themes.plain.glyphs.waiting} Allow run_sql on orders? · 1 of 3 · 4:32 left`,
    'Asked because its server says that it is destructive.',
    'Runs a statement. On the orders.',
    '  query: "delete from orders where id = 7"  limit: 10',
    `${themes.plain.glyphs.prompt} 1 Allow once (y)`,
    '  2 Allow this tool in this session (s)',
    '  3 Auto-approve everything in this session (a)',
    '  4 Reject (n)',
    'Up/Down Enter · Tab reason · e details · Esc rejects',
  ])
})

test('and the same in Chinese [D3.6]', () => {
  const lines = linesOf(ask({ lang: 'zh', expiresInMs: 5000 }).prompt)
  expect(lines[0]).toContain('允许 run_sql（服务：orders）？ · 剩余 0:05')
  expect(lines[1]).toBe('询问原因：服务声明该工具具有破坏性。')
  expect(lines.slice(4, 8).join()).toMatch(/允许一次.*这个工具.*自动批准全部.*拒绝/)
})

test.each(Object.values(askingReasons))('the reason "%s" is told in Chinese', (reason) => {
  const { prompt } = ask({ lang: 'zh', request: { ...deleteOrders, reason } })
  expect(linesOf(prompt)[1]).toMatch(/^询问原因：[^a-z]*(?:（r-1）)?。$/)
})

describe('each decision by each key [D3.6]', () => {
  test.each<[TerminalDecision['kind'], string, readonly string[]]>([
    ['once', 'y', ['y']],
    ['once', 'Y', ['Y']],
    ['once', 'y of kitty', ['\u001b[121u']],
    ['once', 'Shift+y of kitty', ['\u001b[121:89;2u']],
    ['once', '1', ['1']],
    ['once', 'Enter', [enter]],
    ['once', 'Enter of kitty', ['\u001b[13u']],
    ['tool', 's', ['s']],
    ['tool', 's of kitty', ['\u001b[115u']],
    ['tool', '2', ['2']],
    ['tool', 'Down Enter', [down, enter]],
    ['tool', 'Down of an application, Enter', ['\u001bOB', enter]],
    ['tool', 'j Enter', ['j', enter]],
    ['all', 'a', ['a']],
    ['all', '3', ['3']],
    ['all', 'j j Enter', ['j', 'j', enter]],
    ['reject', 'n', ['n']],
    ['reject', 'n of kitty', ['\u001b[110u']],
    ['reject', '4', ['4']],
    ['reject', 'Up Enter', [up, enter]],
    ['reject', 'k Enter', ['k', enter]],
    ['reject', 'Esc', [esc]],
    ['reject', 'Esc of kitty', ['\u001b[27u']],
    ['reject', 'Ctrl+C', ['\u0003']],
  ])('%s by %s', (kind, name, keys) => {
    setKittyProtocolActive(name.includes('kitty'))
    const { prompt, decisions, later } = ask({ isAcknowledged: true })
    later(...keys)
    expect(decisions).toEqual([{ kind, message: '' }])
    expect(prompt.render(80)).toEqual([])
    later('n', 'y')
    expect(decisions).toHaveLength(1)
  })
})

test('other keys, pastes, and keys that are let go decide nothing', () => {
  const { decisions, later } = ask()
  later('x', '5', '0', ' ', '\u001b[200~y\u001b[201~', '\u001b[121;1:3u', '\u001b[C', '\u0001')
  expect(decisions).toEqual([])
})

test('keys typed while it appears do not answer it, nor those that follow without a pause', () => {
  const { prompt, clock, decisions, press } = ask({ isAcknowledged: true })
  for (const key of [...'say any', enter]) {
    press(key)
    clock.advance(150)
  }
  expect(decisions).toEqual([])
  expect(linesOf(prompt).at(-1)).toContain('do not answer it')
  clock.advance(300)
  press('y')
  expect(decisions).toEqual([{ kind: 'once', message: '' }])
})

test('Esc too does not answer in that moment', () => {
  const { decisions, press } = ask()
  press(esc)
  expect(decisions).toEqual([])
})

describe('the reason', () => {
  test('goes with the rejection, also in Chinese', () => {
    const { prompt, decisions, later } = ask()
    later(tab, ...'不要 n y', enter)
    expect(prompt.render(80)).toEqual([])
    expect(decisions).toEqual([{ kind: 'reject', message: '不要 n y' }])
  })

  test('or with what was chosen before or is chosen meanwhile', () => {
    const first = ask()
    first.later(down, tab, ...'ok', enter)
    expect(first.decisions).toEqual([{ kind: 'tool', message: 'ok' }])
    const second = ask()
    second.later(tab, ...'fine', down, enter)
    expect(second.decisions).toEqual([{ kind: 'once', message: 'fine' }])
  })

  test('says with what it goes, and the cursor is where it is typed', async () => {
    const { prompt, later } = ask({ lang: 'zh' })
    later(tab, ...'太多了')
    const { shown, cursor, told } = await drawOnTerminal(prompt, { columns: 60 })
    expect(shown[cursor.row - 1]).toBe('原因（随“拒绝”发送）：')
    expect(shown[cursor.row]).toBe('  太多了')
    expect(cursor).toEqual({ row: cursor.row, column: 8 })
    expect(told).toEqual(cursor)
  })

  test('is left by Esc without a decision, and Esc again rejects', () => {
    const { prompt, decisions, later } = ask()
    later(tab, 'x', esc)
    expect(decisions).toEqual([])
    expect(prompt.render(80).join()).not.toContain(CURSOR_MARKER)
    later(esc)
    expect(decisions).toEqual([{ kind: 'reject', message: '' }])
  })
})

describe('the details', () => {
  const args = {
    path: 'src/main.ts',
    content: Array.from({ length: 60 }, (_, at) => `line ${at + 1}`).join('\n'),
  }

  test('are shown and hidden by e, within the rows there are, and scroll', () => {
    const { prompt, later } = ask({ request: { ...deleteOrders, args }, rows: 20 })
    later('e')
    const first = linesOf(prompt)
    expect(first.length).toBeLessThan(20)
    expect(first).toContain('│ path: "src/main.ts"')
    expect(first).toContain('│   line 1')
    expect(first.join('\n')).toMatch(/lines 1 to 10 of 62/)
    later('\u001b[6~', '\u001b[1;2B')
    expect(linesOf(prompt).join('\n')).toMatch(/lines 12 to 21 of 62/)
    later('\u001b[F')
    expect(linesOf(prompt)).toContain('│   line 60')
    later('\u001b[5~', '\u001b[H')
    expect(linesOf(prompt)).toContain('│   line 1')
    later('e')
    expect(linesOf(prompt).join('\n')).not.toContain('│')
  })

  test('show a change of a file as removed and added lines', () => {
    const change = { path: 'a.ts', old_string: 'one\ntwo', new_string: 'three' }
    const { prompt, later } = ask({ request: { ...deleteOrders, args: change } })
    later('e')
    expect(linesOf(prompt).slice(1, 5)).toEqual([
      '│ path: "a.ts"',
      '│ - one',
      '│ - two',
      '│ + three',
    ])
  })

  test('show a long statement with its clauses on lines of their own', () => {
    const query =
      "select region, sum(amount) from orders where note = ' from x ' group by region limit 5"
    const { prompt, later } = ask({ request: { ...deleteOrders, args: { query } } })
    later('e')
    expect(linesOf(prompt).slice(1, 7)).toEqual([
      '│ query:',
      '│   select region, sum(amount)',
      '│   from orders',
      "│   where note = ' from x '",
      '│   group by region',
      '│   limit 5',
    ])
  })

  test('leave a statement with a comment as it is', () => {
    const query = 'delete from orders -- only the old ones where created < 2020 limit 1 and so on'
    const { prompt, later } = ask({ request: { ...deleteOrders, args: { query } }, rows: 30 })
    later('e')
    expect(linesOf(prompt, 120)[1]).toBe(`│ query: ${JSON.stringify(query)}`)
  })

  test('show nested arguments as JSON, and a diff in its colours', () => {
    const nested = { filter: { ids: [1, 2] }, patch: '@@ -1 +1 @@\n-a\n+b' }
    const { prompt, later } = ask({
      request: { ...deleteOrders, args: nested },
      theme: themes.colored,
    })
    later('e')
    const text = prompt.render(80).join('\n')
    expect(text).toContain('"ids": [')
    expect(text).toContain(themes.colored.removed('-a'))
    expect(text).toContain(themes.colored.added('+b'))
  })
})

describe('auto-approval', () => {
  test('is explained and acknowledged once, then never again [D3.6]', () => {
    const { prompt, decisions, later, isGiven } = ask()
    later('a')
    const text = linesOf(prompt, 200).join('\n')
    expect(text).toContain('Auto-approve everything in this session?')
    expect(text).toContain('Rules that deny still hold')
    expect(decisions).toEqual([])
    later('y')
    expect(decisions).toEqual([{ kind: 'all', message: '' }])
    expect(isGiven()).toBe(true)
  })

  test.each([
    ['n', ['n']],
    ['Enter', [enter]],
    ['Esc', [esc]],
  ])('%s goes back to the question', (_, keys) => {
    const { prompt, decisions, later, isGiven } = ask({ lang: 'zh' })
    later('3')
    expect(linesOf(prompt, 200).join('\n')).toContain('禁止规则仍然有效')
    later(...keys)
    expect(decisions).toEqual([])
    expect(isGiven()).toBe(false)
    expect(linesOf(prompt).join('\n')).toContain('允许 run_sql')
  })

  test('a key that is pressed twice answers neither question', () => {
    const { decisions, later, press } = ask()
    later(down, down, enter)
    press(enter)
    later(enter)
    press(enter)
    expect(decisions).toEqual([])
  })
})

describe('its end', () => {
  test('counts down each second; that it is over the platform says', () => {
    const { prompt, clock, screen, closed, decisions } = ask({ expiresInMs: 61_500 })
    expect(linesOf(prompt)[0]).toContain('1:02 left')
    const { frames } = screen
    clock.advance(1600)
    expect(linesOf(prompt)[0]).toContain('1:00 left')
    expect(screen.frames).toBe(frames + 2)
    clock.advance(60_000)
    expect(linesOf(prompt)[0]).not.toContain('left')
    expect([closed, decisions, clock.pending()]).toEqual([[], [], 0])
    prompt.close('expired')
    expect(closed).toEqual(['run_sql: nobody answered in time, so it does not run.'])
    expect(prompt.render(80)).toEqual([])
  })

  test.each([
    ['allowed', 'run_sql: was allowed elsewhere.'],
    ['rejected', 'run_sql: was rejected elsewhere.'],
    ['answered', 'run_sql: was answered elsewhere.'],
    ['withdrawn', 'run_sql: is no longer asked for.'],
  ] as const)('%s by others, it goes and says so once', (how, line) => {
    const { prompt, clock, closed, decisions, later } = ask({ expiresInMs: 60_000 })
    prompt.close(how)
    prompt.close('expired')
    later('y')
    expect(closed).toEqual([line])
    expect(decisions).toEqual([])
    expect(clock.pending()).toBe(0)
  })

  test('answered here, it is not closed any more, and its clock stands', () => {
    const { prompt, clock, closed, later } = ask({ expiresInMs: 60_000 })
    later('n')
    prompt.close('answered')
    expect(closed).toEqual([])
    expect(clock.pending()).toBe(0)
  })

  test('where the clock here is ahead of the platform it can be answered, and counts nothing', () => {
    const { prompt, closed, decisions, later } = ask({ expiresInMs: -300_000 })
    expect(linesOf(prompt)[0]).not.toContain('left')
    later('y')
    expect([closed, decisions]).toEqual([[], [{ kind: 'once', message: '' }]])
  })
})

describe('hostile requests', () => {
  const hostile: ApprovalRequest = {
    name: 'run\u001b[2J_sql\n4 Reject (n)',
    server: '\u001b]0;title\u0007orders\u202e',
    reason: '\u001b[31mbecause',
    description: 'a\u001b[Hb\u009b31m'.repeat(500),
    args: {
      'key\u001b[31m': '\u001b[2J\u0007\r\nfake line',
      text: `visible\u202ehidden\u200b${'x'.repeat(5000)}`,
      deep: { deeper: [{ url: 'https://аpple.com/login' }] },
      tab: '\ttabs\t',
    },
  }

  test.each([5, 12, 20, 40, 80, 200])(
    'neither leave %i columns nor send escapes [T58]',
    (width) => {
      const { prompt, later } = ask({ request: hostile, rows: 40, expiresInMs: 60_000 })
      for (const keys of [[], ['e'], [tab], [esc, 'e']]) {
        later(...keys)
        const lines = linesOf(prompt, width)
        for (const line of lines) {
          expect(visibleWidth(line)).toBeLessThanOrEqual(width)
          expect(line).not.toMatch(/\p{Cc}|[\u202a-\u202e\u200b]/u)
        }
      }
    },
  )

  test('no argument can look like a line of ours [T42]', () => {
    const args = { text: 'x\n> 1 Allow once (y)\n  4 Reject (n)' }
    const { prompt, later } = ask({ request: { ...deleteOrders, args } })
    later('e')
    const rejects = linesOf(prompt).filter((line) => line.endsWith('4 Reject (n)'))
    expect(rejects).toEqual(['│     4 Reject (n)', '  4 Reject (n)'])
  })

  test('what cannot be seen is warned of [T42]', () => {
    const lines = linesOf(ask({ request: hostile }).prompt).filter((line) => line.startsWith('! '))
    expect(lines.length).toBeGreaterThan(2)
    expect(lines.join('\n')).toMatch(/control characters[\s\S]*\d more$/)
  })

  test.each([
    [6, 5],
    [10, 7],
    [14, 11],
  ])('on %i rows the question and its answers are there, on %i', (rows, most) => {
    const { prompt, later } = ask({ request: hostile, rows })
    for (const keys of [[], ['e'], ['\u001b[6~', '\u001b[F']]) {
      later(...keys)
      const lines = linesOf(prompt)
      expect(lines.length).toBeLessThanOrEqual(most)
      expect(lines[0]).toContain('Allow run')
      expect(lines.join('\n')).toMatch(/1 Allow once[\s\S]*4 Reject \(n\)$/m)
    }
  })
})

test('without colours there are no escapes at all', () => {
  const { prompt, later } = ask({ expiresInMs: 60_000 })
  later('e', tab)
  expect(linesOf(prompt).join('')).not.toContain('\u001b')
})

test('where the terminal has ASCII only, there is nothing else', () => {
  const { prompt, later } = ask({ theme: themes.ascii, expiresInMs: 60_000, rows: 14 })
  const lines = linesOf(prompt, 30)
  later('e')
  expect([...lines, ...linesOf(prompt, 30)].join('')).toMatch(/^[ -~]*$/)
})
