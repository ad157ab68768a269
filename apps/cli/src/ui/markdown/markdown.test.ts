import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codesOf, showLines } from '../test-lines.ts'
import { createTheme } from '../theme.ts'
import { widthOf } from '../width.ts'
import { createMarkdownStream, renderMarkdown } from './markdown-stream.ts'

const plain = { theme: createTheme({ env: { NO_COLOR: '1' }, isTty: true }), lang: 'en' } as const
const colored = { theme: createTheme({ env: { TERM: 'xterm' }, isTty: true }), lang: 'en' } as const
const render = (text: string, width = 40) => renderMarkdown(text, plain, width)

describe('Markdown [D9.3]', () => {
  test.each([
    ['a paragraph, its line breaks kept', 'one\ntwo\n\nthree', ['one', 'two', '', 'three']],
    ['headings', '# A\n## B ##\ntext', ['# A', '', '## B', '', 'text']],
    ['an underlined heading', 'Title\n---\nx', ['## Title', '', 'x']],
    ['lists', '- a\n- b\n  1. c\n  2. d', ['• a', '• b', '  1. c', '  2. d']],
    ['numbers as they were written', '7) a\n9) b', ['7) a', '9) b']],
    ['tasks', '- [x] a\n- [ ] b', ['✓ a', '☐ b']],
    ['text of an item below it', '- a\n\n  more\n\nend', ['• a', '', '  more', '', 'end']],
    ['quotations', '> a\n> - b', ['│ a', '│ • b']],
    ['a rule', 'a\n\n***', ['a', '', '─'.repeat(40)]],
    [
      'code, apart and as it is',
      'a\n```\n**b**\n\n c\n```\nd',
      ['a', '', '  **b**', '', '   c', '', 'd'],
    ],
    ['the language of code', '```sql\nselect 1\n```', ['── sql', '  select 1']],
    ['code that never ends', '~~~\na', ['  a']],
    ['a fence within a longer one', '````\n```\n````\nx', ['  ```', '', 'x']],
    ['indented code', '    a = 1', ['      a = 1']],
    ['emphasis without marks, code with', '**a** *b* ~~c~~ `d`', ['a b c `d`']],
    ['raw HTML as text', '<b>x</b>\n<script>y</script>', ['<b>x</b>', '<script>y</script>']],
    ['named characters, and no others', '&lt;a&gt; &amp;#27; &#27;', ['<a> &#27; &#27;']],
  ])('%s', (_, text, lines) => {
    expect(render(text)).toEqual(lines)
  })

  test('a link shows where it leads', () => {
    const line = '[docs](https://a.example/x), <https://b.example>, ![pic](c.png)'
    expect(render(line, 100)).toEqual([
      'docs (https://a.example/x), https://b.example, pic (c.png)',
    ])
    expect(render('[https://good.example](https://evil.example)', 100)).toEqual([
      'https://good.example (https://evil.example)',
    ])
    expect(renderMarkdown('[a](https://x.example)', colored, 60).join('')).not.toContain('\u001b]')
  })

  test('wraps below the text of an item, Chinese included', () => {
    expect(render('1. 上月各区域销售额', 11)).toEqual(['1. 上月各区', '   域销售额'])
  })

  test('has colours only of the theme, all closed at the end of each line', async () => {
    const text =
      '# T **b**\n\n**bold that is *long* enough to be wrapped `twice` or so** end\n\n> `q`'
    const lines = renderMarkdown(text, colored, 24)
    const { hasStyle } = await showLines(lines)
    expect(hasStyle).toBe(true)
    const { hasStyle: leaks } = await showLines(lines.map((line) => `${codesOf(line)}x`))
    expect(leaks).toBe(false)
  })

  test('no line is wider than told, whatever comes, and none has a control character', () => {
    const parts = fc.constantFrom(
      ...['# ', '- ', '> ', '| a | 订单 |', '|---|--:|', '\n', '\n\n', '```js', '**', '`', '    '],
      ...[
        'word ',
        '很长的中文文本',
        '[a](b)',
        '\u001b[31m',
        '\u202e',
        '\u001b]52;c;x\u0007',
        '1. ',
        '<x>',
      ],
    )
    const texts = fc.array(parts, { maxLength: 60 }).map((each) => each.join(''))
    fc.assert(
      fc.property(texts, fc.integer({ min: 20, max: 200 }), (text, width) => {
        for (const line of render(text, width)) {
          expect(widthOf(line)).toBeLessThanOrEqual(width)
          expect(line).not.toMatch(/\p{Cc}/u)
        }
      }),
      { numRuns: 300 },
    )
  })
})

/** Pushes it piece by piece, and takes what is complete after each. */
function streamed(text: string, size: number, width = 60) {
  const stream = createMarkdownStream(plain)
  const lines: string[] = []
  let mostLive = 0
  for (let at = 0; at < text.length; at += size) {
    stream.push(text.slice(at, at + size))
    lines.push(...stream.take(width))
    if ((at / size) % 16 === 0) mostLive = Math.max(mostLive, stream.renderRest(width, 20).length)
  }
  stream.end()
  return { lines: [...lines, ...stream.take(width)], mostLive }
}

describe('an answer that grows', () => {
  const text = [
    ...['# 标题', 'A **bold** start', '', '- one', '- two', '', '| a | b |', '|---|--:|'],
    ...[
      '| 订单 | 1 |',
      '| x | 22 |',
      '',
      '```ts',
      'const a = 1',
      '',
      'b()',
      '```',
      'end 👩‍💻 of it',
    ],
  ].join('\n')

  test.each([1, 2, 3, 7, 1000])('is the same by pieces of %i', (size) => {
    expect(streamed(text, size).lines).toEqual(render(text, 60))
  })

  test('is the same in any pieces, whatever it is', () => {
    const parts = fc.constantFrom(
      ...['# T\n', '- item\n', '  more\n', '> q\n', '| a | b |\n', '|---|--:|\n', '\n', '```ts\n'],
      ...[
        'word **b** ',
        '中文，',
        '`c`',
        '    code\n',
        '---\n',
        '\r\n',
        '\u001b[31m',
        '👩‍💻',
        '1. one\n',
      ],
    )
    const texts = fc.array(parts, { maxLength: 40 }).map((each) => each.join(''))
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 9 }), (each, size) => {
        expect(streamed(each, size).lines).toEqual(render(each, 60))
      }),
      { numRuns: 300 },
    )
  })

  test('gives up what is complete at once, and shows the rest', () => {
    const stream = createMarkdownStream(plain)
    stream.push('First.\n\nSec')
    expect(stream.take(40)).toEqual(['First.'])
    expect(stream.renderRest(40, 5)).toEqual(['', 'Sec'])
    stream.push('ond.\n\n```\ncode 1\nco')
    expect(stream.take(40)).toEqual(['', 'Second.', '', '  code 1'])
    expect(stream.renderRest(40, 5)).toEqual(['  co'])
    stream.push('de 2\n``')
    expect(stream.take(40)).toEqual(['  code 2'])
    expect(stream.renderRest(40, 5)).toEqual([])
  })

  test('shows a table while it grows, and prints it when it is complete', () => {
    const stream = createMarkdownStream(plain)
    stream.push('| a | b |\n|---|---|\n| 1 | x |\n| 2')
    expect(stream.take(40)).toEqual([])
    expect(stream.renderRest(40, 5)).toHaveLength(4)
    stream.push('2 | long |\n\nend')
    expect(stream.take(40)).toEqual([' a │ b', '───┼─────', ' 1 │ x', '22 │ long'])
  })

  test('a table without end is printed in parts, in the same columns', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => `| 行${i} | ${i} | ok |`)
    const { lines } = streamed(['| n | v | s |', '|---|---|---|', ...rows].join('\n'), 50)
    expect(lines).toHaveLength(1002)
    const columns = new Set(lines.slice(2).map((line) => widthOf(line.slice(0, line.indexOf('│')))))
    expect(columns.size).toBe(1)
  })

  test('a paragraph without end is printed in parts, and nothing of it is lost', () => {
    const long = Array.from({ length: 5000 }, (_, i) => `w${i}`).join(' ')
    const { lines, mostLive } = streamed(long, 11)
    expect(lines.join(' ')).toBe(long)
    expect(mostLive).toBeLessThanOrEqual(20)
  })

  test.each(['**a *b ', '~~a ', '[', '`a', '[a](('])('much of %j does not hold it up', (part) => {
    const begun = process.cpuUsage().user
    renderMarkdown(part.repeat(200_000 / part.length), plain, 80)
    expect((process.cpuUsage().user - begun) / 1000).toBeLessThan(4000)
  })

  const code = (count: number) => {
    const lines = Array.from({ length: count }, (_, i) => `const value${i} = sum(${i}) // 注释`)
    return ['```ts', ...lines, '```'].join('\n')
  }
  const prose = (count: number) =>
    '## Part\n\nSome **bold** text, `code` and 中文.\n\n- one\n- two\n\n| a | b |\n|---|--:|\n| x | 1 |\n\n'.repeat(
      count,
    )

  test.each([
    ['100,000 lines of code', code(10_000), code(100_000), 40],
    ['a megabyte of Markdown', prose(1100), prose(11_000), 12],
  ])('%s costs ten times as much as a tenth of it', (_, small, large, size) => {
    const time = (each: string) => {
      const begun = process.cpuUsage().user
      const { mostLive } = streamed(each, size)
      expect(mostLive).toBeLessThanOrEqual(20)
      return process.cpuUsage().user - begun
    }
    time(small)
    const few = Math.min(time(small), time(small))
    expect(time(large) / few).toBeLessThan(20)
  })
})
