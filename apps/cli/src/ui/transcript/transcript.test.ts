import { createFakeClock } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { codesOf, showLines } from '../test-lines.ts'
import { createTheme } from '../theme.ts'
import { widthOf } from '../width.ts'
import {
  asked,
  asksLeave,
  called,
  createTold,
  decidedBy,
  done,
  ended,
  plainTheme,
  started,
  text,
} from './test-events.ts'
import { createTranscript } from './transcript.ts'

describe('a conversation as lines', () => {
  test('is told in its order, one renderer for each type of event [D9.1] [D9.2]', () => {
    const { tell, lines } = createTold()
    tell(
      asked('上月销售额？'),
      {
        event_type: 'tools_matched',
        matches: [{ by: 'keyword', word: '销售', server_name: 'orders' }],
        tool_mode: 'intent',
        matched: 3,
        offered: 3,
      },
      { event_type: 'reasoning', content: 'one\ntwo\nthree\nfour' },
      {
        event_type: 'todo_update',
        todos: [
          { content: '查询', status: 'in_progress' },
          { content: 'tell', status: 'pending' },
        ],
      },
      ...[called('c1'), started('c1'), ended('c1', 'a\nb')],
      {
        event_type: 'todo_update',
        todos: [
          { content: '查询', status: 'completed' },
          { content: 'tell', status: 'pending' },
        ],
      },
      text('**25** in all.'),
      {
        event_type: 'usage',
        model: 'm',
        tool_mode: 'always',
        prompt_tokens: 1200,
        completion_tokens: 34,
        always_prompt_tokens: 1,
      },
      { event_type: 'summary', content: 'x', through_seq: 3 },
      { event_type: 'from_tomorrow', what: 'ever' },
      done,
    )
    expect(lines()).toMatchInlineSnapshot(`
      [
        "❯ 上月销售额？",
        "",
        "3 tools for "销售" (orders)",
        "Thought",
        "  one",
        "  two",
        "  … 2 more lines, Ctrl+O",
        "",
        "Plan 0/2",
        "❯ 查询",
        "☐ tell",
        "",
        "✓ orders.query select 1 · 38 ms",
        "  a",
        "  b",
        "",
        "✓ 查询",
        "",
        "25 in all.",
        "",
        "Earlier messages were summarised for the model",
        "  x",
        "12.0 s · 1,234 tokens",
      ]
    `)
    expect(lines()).toEqual([])
  })

  test('says that a turn was stopped', () => {
    const { tell, lines } = createTold()
    tell(asked(), { ...done, cancelled: true })
    expect(lines()).toEqual(['❯ Hi', '', '⊘ Stopped · 1.0 s'])
  })

  test('says what happened and what can be done', () => {
    const { tell, lines } = createTold({ lang: 'zh', width: 80 })
    const error = { event_type: 'error', error: 'No model.', error_code: 'upstream_failed' }
    tell({ ...error, recoverable: true, reference: 'r7' }, { ...error, recoverable: false })
    expect(lines()).toEqual([
      '✗ No model.',
      '  可用 /resume 继续，或重新发送 · upstream_failed · 参考号 r7',
      ...['✗ No model.', '  本轮已结束。 · upstream_failed'],
    ])
  })

  test('is the same in Chinese', () => {
    const { tell, lines } = createTold({ lang: 'zh' })
    tell(asked(), called('c1'), ended('c1', 'x', { status: 'error', outcome: 'timeout' }))
    expect(lines()).toContain('✗ orders.query select 1 · 超时 · 38 ms')
  })
})

describe('calls of tools', () => {
  test('have an icon, the tool and short arguments on one line [D9.4]', () => {
    const { tell, lines } = createTold()
    const args = { table: '订单', filter: { a: [1, 2] }, note: 'two\nlines', none: null }
    tell(called('c1', 'mcp.orders.find', args), ended('c1', ''), called('c2', 'read_file', {}))
    tell(ended('c2', '', { duration_ms: 61_000 }))
    expect(lines()).toEqual([
      '✓ orders.find table=订单 filter={"a":[1,2]} note=tw… · 38 ms',
      '✓ read_file · 1m 01s',
    ])
  })

  test('that run side by side are shown each on its line, and printed in their order', () => {
    const { tell, lines, live, clock } = createTold()
    tell(called('c1'), called('c2'), started('c1'), started('c2'))
    clock.advance(2500)
    tell(ended('c2', 'second'))
    expect(lines()).toEqual([])
    expect(live()).toEqual([
      expect.stringMatching(/^\S orders.query select 1 · 2s$/),
      ...['✓ orders.query select 1 · 38 ms', '  second'],
    ])
    tell(ended('c1', 'first'))
    expect(lines()).toEqual([
      ...['✓ orders.query select 1 · 38 ms', '  first'],
      ...['✓ orders.query select 1 · 38 ms', '  second'],
    ])
    expect(live()).toEqual([])
  })

  test('fold what is long, and Ctrl+O shows all of it', () => {
    const { tell, lines, transcript } = createTold()
    expect(transcript.expandLast(60)).toBeUndefined()
    const result = Array.from({ length: 5000 }, (_, i) => `line ${i}`).join('\n')
    tell(called('c1'), ended('c1', result))
    expect(lines()).toEqual([
      '✓ orders.query select 1 · 38 ms',
      ...['  line 0', '  line 1', '  line 2', '  line 3', '  … 4,996 more lines, Ctrl+O'],
    ])
    const whole = transcript.expandLast(60)
    expect(whole).toHaveLength(2002)
    expect(whole?.at(-1)).toBe('  … 3,000 more lines, /export')
  })

  test('that fail say why, not what the model is told to do', () => {
    const { tell, lines } = createTold()
    const fault = { code: 'timeout', message: 'No answer.', tool_name: 'query', advice: 'degrade' }
    const outcome = { status: 'error', outcome: 'timeout' }
    tell(called('c1'), ended('c1', { ...fault, limit_ms: 50 }, outcome))
    expect(lines().slice(1)).toEqual(['  No answer.', '  limit_ms: 50'])
  })

  test.each([
    ['rows as JSON text', JSON.stringify([{ 区域: '华东', n: 1 }])],
    ['rows below a name', { status: 'ok', items: [{ 区域: '华东', n: 1 }] }],
    ['columns and rows', { columns: ['区域', 'n'], rows: [['华东', 1]] }],
    ['MCP content', { content: [{ type: 'text', text: '[{"区域":"华东","n":1}]' }] }],
    [
      'structured MCP content',
      { content: [], structuredContent: { list: [{ 区域: '华东', n: 1 }] } },
    ],
  ])('that give %s show a table', (_, result) => {
    const { tell, lines } = createTold()
    tell(called('c1'), ended('c1', result))
    expect(lines()).toEqual([
      '✓ orders.query select 1 · 1 row · 38 ms',
      ...['  区域 │ n', '  ─────┼──', '  华东 │ 1'],
    ])
  })

  const image = { type: 'image', data: 'aGkh', mimeType: 'image/png' }
  const shownOf = (fields: object) => ({ shown: { content: [], with_text: true, ...fields } })

  test.each<[string, unknown, object, string[]]>([
    [
      'an image name it',
      '[image]',
      shownOf({ content: [image], with_text: false }),
      ['[image/png, 1 KB]'],
    ],
    [
      'text and an image show both',
      'A chart',
      shownOf({ content: [image] }),
      ['A chart', '[image/png, 1 KB]'],
    ],
    [
      'other text beside rows show both',
      'All regions',
      shownOf({ structuredContent: { list: [{ n: 1 }] } }),
      ['n', '─', '1', 'All regions'],
    ],
  ])('that give %s', (_, result, shown, told) => {
    const { tell, lines } = createTold()
    tell(called('c1'), ended('c1', result, shown))
    const [, ...below] = lines()
    expect(below.map((line) => line.trim())).toEqual(told)
  })

  test('that give many rows show some', () => {
    const { tell, lines, transcript } = createTold()
    const rows = Array.from({ length: 30 }, (_, n) => ({ n, name: `row ${n}` }))
    tell(called('c1'), ended('c1', rows))
    expect(lines().at(-1)).toBe('  … 22 more rows, Ctrl+O')
    expect(transcript.expandLast(60)).toHaveLength(33)
  })

  test('that give something else show it as what it is', () => {
    const { tell, lines } = createTold()
    const image = { type: 'image', data: 'A'.repeat(4096), mimeType: 'image/png' }
    const link = { type: 'resource_link', uri: 'file:///a', name: 'a' }
    tell(called('c1', 'x', {}), ended('c1', { content: [image, link] }))
    tell(called('c2', 'x', {}), ended('c2', { a: 1 }), called('c3', 'x', {}), ended('c3', null))
    expect(lines()).toEqual([
      ...['✓ x · 38 ms', '  [image/png, 3 KB]', '  file:///a'],
      ...['✓ x · 38 ms', '  {', '    "a": 1', '  }', '✓ x · 38 ms'],
    ])
  })

  test.each([
    ['denied', '✗', 'not allowed'],
    ['rejected', '⊘', 'rejected'],
    ['unknown_outcome', '✗', 'it is not known whether it ran'],
  ])('that end as %s say so', (outcome, icon, words) => {
    const { tell, lines } = createTold()
    const fault = { code: outcome, message: 'Because.' }
    tell(called('c1', 'x', {}), ended('c1', fault, { status: 'error', outcome }))
    expect(lines()).toEqual([`${icon} x · ${words} · 38 ms`, '  Because.'])
  })

  test('that wait for a person say so, and who decided what', () => {
    const { tell, lines, live, transcript } = createTold()
    tell(asked(), called('c1'), asksLeave('c1'))
    lines()
    expect(live()).toEqual(['', '? orders.query select 1 · Waiting for your decision'])
    expect(transcript.isMoving).toBe(false)
    tell(decidedBy('c1', { scope: 'tool' }), started('c1'), ended('c1', ''))
    expect(lines().slice(1)).toEqual([
      '✓ orders.query select 1 · 38 ms',
      '  ✓ Approved by ana · this tool, in this session',
    ])
    tell(called('c2'), asksLeave('c2'), decidedBy('c2', { type: 'reject', message: 'too much' }))
    tell(ended('c2', '', { status: 'error', outcome: 'rejected' }))
    expect(lines()).toContain('  ⊘ Rejected by ana · too much')
    tell(called('c3'), asksLeave('c3'))
    tell(decidedBy('c3', { type: 'reject' }, { via: 'expiry', decided_by: null }), done)
    expect(lines()).toContain('  ⊘ Nobody decided in time')
  })

  test('of a helper are below the call it works for, its words are not told', () => {
    const { tell, lines, live } = createTold()
    const below = { parent_tool_call_id: 'c1' }
    tell(called('c1', 'task', { what: 'count' }), { ...called('c2'), ...below })
    tell({ ...started('c2'), ...below }, { ...text('thinking aloud'), ...below })
    expect(live()).toHaveLength(2)
    expect(live()[1]).toMatch(/^ {2}\S orders.query/)
    tell({ ...ended('c2', ''), ...below }, { ...done, ...below }, ended('c1', 'counted'))
    expect(lines()).toEqual([
      ...['✓ task count · 38 ms', '  ✓ orders.query select 1 · 38 ms', '  counted'],
    ])
  })

  test('whose run ended before them are told as interrupted', () => {
    const { tell, lines, transcript } = createTold()
    tell(asked(), called('c1'), started('c1'), done)
    expect(lines()).toContain('⊘ orders.query select 1 · interrupted')
    expect(transcript.isMoving).toBe(false)
  })
})

describe('files', () => {
  const change = (diff: string, fields: object = {}) => ({
    ...{ event_type: 'file_operation', operation: 'edit', path: 'src/报表.ts', diff },
    ...{ additions: 2, deletions: 1, ...fields },
  })
  const diff = '--- a\n+++ b\n@@ -9,3 +9,4 @@ f\n a\n-旧\n+新\n+more\n b\n@@ -40 +41 @@\n c\n'

  test('show what changed with its lines and counts [D9.5]', () => {
    const { tell, lines } = createTold()
    tell(
      called('c1', 'edit_file', {}),
      change(diff, { tool_call_id: 'c1' }),
      ended('c1', 'written'),
    )
    expect(lines()).toEqual([
      ...['✓ edit_file · 38 ms', '  edit src/报表.ts  +2 −1'],
      ...[
        '    9   a',
        '   10 - 旧',
        '   10 + 新',
        '   11 + more',
        '   12   b',
        '    :',
        '   41   c',
      ],
    ])
  })

  test('fold a long change', () => {
    const { tell, lines, transcript } = createTold()
    const long = Array.from({ length: 300 }, (_, i) => `+line ${i}`).join('\n')
    tell(change(`@@ -0,0 +1,300 @@\n${long}`, { operation: 'write', additions: 300, deletions: 0 }))
    const shown = lines()
    expect(shown).toHaveLength(22)
    expect(shown.at(-1)).toBe('… 280 more lines, Ctrl+O')
    expect(transcript.expandLast(60)).toHaveLength(301)
  })

  test('that were only read take one line, within their call none', () => {
    const { tell, lines } = createTold()
    tell(change('', { operation: 'read' }))
    expect(lines()).toEqual(['read src/报表.ts'])
    tell(called('c1', 'read_file', {}), change('', { operation: 'read', tool_call_id: 'c1' }))
    tell(ended('c1', ''))
    expect(lines()).toEqual(['✓ read_file · 38 ms'])
  })
})

describe('text', () => {
  test('is printed by its blocks as it grows, and not twice when it is logged', () => {
    const { tell, lines, live } = createTold()
    const piece = (content: string, offset: number) => text(content, { offset, is_final: false })
    tell(asked(), piece('One.\n\nTw', 0))
    expect(lines()).toEqual(['❯ Hi', '', 'One.'])
    expect(live()[1]).toBe('Two'.slice(0, 2))
    tell(piece('o.', 8), { ...text('One.\n\nTwo.'), seq: 2 })
    expect(lines()).toEqual(['', 'Two.'])
  })

  test('goes on from row to row of the log', () => {
    const { tell, lines } = createTold()
    tell(text('A **bo', { is_final: false }), text('ld** word', { is_final: false }), text(''))
    expect(lines()).toEqual(['A bold word'])
    tell(text('Next.'))
    expect(lines()).toEqual(['', 'Next.'])
  })

  test('that begins anew says that what was printed is void', () => {
    const { tell, lines } = createTold({ width: 100 })
    tell(text('Shown.\n\nNot sh', { is_final: false }))
    expect(lines()).toEqual(['Shown.'])
    tell(text('Again.', { restarts: true }))
    expect(lines()).toEqual([
      '',
      'The reply was cut off; what is above of it is void. It begins anew.',
      ...['', 'Again.'],
    ])
  })

  test('that begins anew before anything was printed says nothing', () => {
    const { tell, lines } = createTold()
    tell(text('Not shown', { is_final: false, offset: 0 }))
    tell(text('Ag', { restarts: true, is_final: false, offset: 0 }))
    tell({ ...text('Again.', { restarts: true }), seq: 2 })
    expect(lines()).toEqual(['Again.'])
  })
})

describe('what goes on', () => {
  test('is shown by a spinner with the seconds [D9.6]', () => {
    const { tell, lines, live, clock, transcript } = createTold()
    expect(transcript.isMoving).toBe(false)
    tell(asked())
    lines()
    clock.advance(3200)
    const [, first] = live()
    expect(first).toMatch(/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] Thinking… 3s$/)
    clock.advance(100)
    expect(live()[1]).not.toBe(first)
    tell(text('a', { is_final: false }))
    expect(live().at(-1)).toContain('Writing… 3s')
    expect(transcript.isMoving).toBe(true)
    tell(done)
    lines()
    expect([live(), transcript.isMoving]).toEqual([[], false])
  })

  test('is never higher than there are rows', () => {
    const { tell, live } = createTold()
    tell(asked(), ...Array.from({ length: 30 }, (_, i) => called(`c${i}`)))
    for (const rows of [0, 1, 2, 3, 7, 20, 100]) {
      expect(live(rows).length).toBeLessThanOrEqual(rows)
    }
    expect(live(7)[0]).toBe('…')
  })

  test('is shown in the language that was chosen last', () => {
    let lang: 'en' | 'zh' = 'en'
    const transcript = createTranscript({
      ...{ theme: plainTheme, clock: createFakeClock() },
      get lang() {
        return lang
      },
    })
    expect(transcript.renderPlan(60)).toEqual(['There is no plan.'])
    lang = 'zh'
    expect(transcript.renderPlan(60)).toEqual(['没有计划。'])
  })

  test('the plan is there as it is now', () => {
    const { tell, transcript } = createTold()
    expect(transcript.renderPlan(60)).toEqual(['There is no plan.'])
    const todos = [
      ...[
        { content: 'a', status: 'completed' },
        { content: '二', status: 'in_progress' },
      ],
      { content: 'c', status: 'pending' },
    ]
    tell({ event_type: 'todo_update', todos })
    expect(transcript.renderPlan(60)).toEqual(['Plan 1/3', '✓ a', '❯ 二', '☐ c'])
  })
})

test('an answer of any length is printed', () => {
  const { tell, lines } = createTold()
  tell(text(`\`\`\`\n${'x\n'.repeat(200_000)}\`\`\``))
  expect(lines()).toHaveLength(200_000)
})

test('of a long history the last turns are printed, fast', () => {
  const { tell, lines } = createTold()
  const begun = process.cpuUsage().user
  for (let turn = 0; turn < 2000; turn++) {
    tell(asked(`question ${turn}`), called('c1'), started('c1'), ended('c1', 'x\n'.repeat(50)))
    tell(text(`Answer **${turn}**.\n\n${'- 内容\n'.repeat(20)}`), done)
  }
  const shown = lines()
  expect((process.cpuUsage().user - begun) / 1000).toBeLessThan(5000)
  expect(shown.slice(0, 3)).toEqual(['… 1,980 earlier turns: /export', '', '❯ question 1980'])
  expect(shown.length).toBeLessThan(1000)
})

describe('hostile text', () => {
  const evil = '\u001b]0;pwned\u0007\u001b[2J\u001b[31mevil\u202e\r\n\u0085\u001b]52;c;eA==\u0007'
  const everywhere = [
    asked(evil),
    {
      event_type: 'tools_matched',
      matches: [{ by: 'name', word: evil, server_name: evil }],
      tool_mode: 'intent',
      matched: 1,
      offered: 1,
    },
    { event_type: 'reasoning', content: evil },
    { event_type: 'todo_update', todos: [{ content: evil, status: 'pending' }] },
    ...[called('c1', evil, { [evil]: evil, b: [evil] }), asksLeave('c1')],
    decidedBy('c1', { message: evil }, { decided_by: evil }),
    ended('c1', evil),
    ...[called('c2', evil, { a: evil }), ended('c2', [{ [evil]: evil, b: { [evil]: evil } }])],
    ...[called('c3'), ended('c3', { code: evil, message: evil, more: evil }, { status: 'error' })],
    ...[
      called('c4'),
      ended('c4', {
        content: [
          { type: evil, uri: evil },
          { data: 'x', mimeType: evil },
        ],
      }),
    ],
    ...[ended(evil, evil), ended('unknown', { [evil]: [evil] })],
    {
      event_type: 'file_operation',
      operation: 'edit',
      path: evil,
      diff: `@@ -1 +1 @@\n+${evil}`,
      additions: 1,
      deletions: 0,
    },
    { event_type: 'error', error: evil, error_code: evil, reference: evil, recoverable: true },
    { event_type: 'summary', content: evil, through_seq: 1 },
    text(
      `# ${evil}\n\n- ${evil}\n\n| ${evil} |\n|---|\n| ${evil} |\n\n\`\`\`${evil}\n${evil}\n\`\`\`\n[${evil}](${evil})`,
    ),
  ]

  test.each([20, 60, 200])('never reaches the terminal, at %i columns', (width) => {
    for (const lang of ['en', 'zh'] as const) {
      const { tell, lines, live, transcript } = createTold({ lang, width })
      for (const event of everywhere) {
        tell(event)
        const shown = [...live(50), ...lines(), ...(transcript.expandLast(width) ?? [])]
        for (const line of [...shown, ...transcript.renderPlan(width)]) {
          expect(line).not.toMatch(/[\p{Cc}\u202e]/u)
          expect(widthOf(line)).toBeLessThanOrEqual(width)
        }
      }
    }
  })

  test('leaves no colour behind at the end of any line', async () => {
    const theme = createTheme({ env: { TERM: 'xterm-256color' }, isTty: true })
    for (const width of [20, 60]) {
      const { tell, lines, live, transcript } = createTold({ theme, width })
      const shown = everywhere.flatMap((event) => {
        tell(event)
        return [...live(50), ...lines(), ...(transcript.expandLast(width) ?? [])]
      })
      const { hasStyle, acts } = await showLines(shown.map((line) => `${codesOf(line)}x`))
      expect([hasStyle, acts]).toEqual([false, []])
    }
  })

  test('where signs are ASCII, ours are', () => {
    const theme = createTheme({ env: { NO_COLOR: '1', LANG: 'C' }, isTty: true })
    const { tell, lines, live } = createTold({ theme })
    for (const event of everywhere) {
      tell(event)
      expect([...live(50), ...lines()].join('\n')).toMatch(/^[\n -~]*$/)
    }
  })
})
