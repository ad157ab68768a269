import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { CURSOR_MARKER, setKittyProtocolActive, visibleWidth } from '@earendil-works/pi-tui'
import { afterEach, expect, test } from 'vitest'
import type { Complete, Completion, CompletionQuery } from './contract.ts'
import { createHistory } from './history.ts'
import { defaultBindings, type KeyBindings } from './keys.ts'
import { createPrompt } from './prompt.ts'
import { createTestScreen, drawOnTerminal, linesOf, themes } from './test-screen.ts'

afterEach(() => setKittyProtocolActive(false))

interface Asked {
  complete?: Complete
  lang?: 'en' | 'zh'
  theme?: (typeof themes)['plain']
  bindings?: KeyBindings
  rows?: number
  entries?: readonly string[]
  file?: string
}

function open(asked: Asked = {}) {
  const sent: string[] = []
  const told: unknown[] = []
  const screen = createTestScreen({ rows: asked.rows ?? 24 })
  const added: string[] = []
  const memory = {
    loaded: Promise.resolve(),
    entries: () => [...(asked.entries ?? []), ...added],
    add: (text: string) => void added.push(text),
    flush: async () => {},
  }
  const history = asked.file === undefined ? memory : createHistory({ file: asked.file })
  const prompt = createPrompt({
    screen,
    theme: asked.theme ?? themes.plain,
    lang: asked.lang ?? 'en',
    history,
    complete: asked.complete ?? (async () => []),
    bindings: asked.bindings ?? defaultBindings,
    env: {},
    onSubmit: (text) => sent.push(text),
    onCancel: () => told.push('cancel'),
    onTakeBack: (index) => told.push(index),
  })
  prompt.focused = true
  const type = (...keys: string[]) => {
    for (const key of keys) prompt.handleInput(key)
  }
  return { prompt, screen, sent, told, type, history, added }
}

const sign = themes.plain.glyphs.prompt
const paste = (text: string) => `\u001b[200~${text}\u001b[201~`

test.each(['\r', '\u001b[13u', '\u001bOM'])('Enter (%j) sends and empties the editor', (key) => {
  const { prompt, sent, type } = open()
  type('h', 'i', '\u001b[13;2u', '好', key)
  expect(sent).toEqual(['hi\n好'])
  expect(prompt.isEmpty).toBe(true)
})

test.each([
  ['Shift+Enter, kitty', '\u001b[13;2u', true],
  ['Shift+Enter, xterm', '\u001b[27;2;13~', false],
  ['Shift+Enter, as some send it', '\u001b[13;2~', false],
  ['Alt+Enter', '\u001b\r', false],
  ['Alt+Enter, kitty', '\u001b[13;3u', true],
  ['Ctrl+J', '\n', false],
  ['Ctrl+J, kitty', '\u001b[106;5u', true],
])('%s is a new line', (_, key, isKitty) => {
  setKittyProtocolActive(isKitty)
  const { prompt, sent, type } = open()
  type('a', key, 'b')
  expect(prompt.text).toBe('a\nb')
  expect(sent).toEqual([])
})

test('a backslash before Enter is a new line', () => {
  const { prompt, type } = open()
  type('a', '\\', '\r', 'b')
  expect(prompt.text).toBe('a\nb')
})

test('nothing, or blanks, is not sent', () => {
  const { sent, type } = open()
  type('\r', ' ', '\r')
  expect(sent).toEqual([])
})

test('keys may be others: Enter for lines, Ctrl+Enter to send', () => {
  const bindings = { ...defaultBindings, send: ['ctrl+enter'], newLine: ['enter'] }
  const { sent, type } = open({ bindings })
  type('a', '\r', 'b', '\u001b[13;5u')
  expect(sent).toEqual(['a\nb'])
})

test('a long paste is folded, and whole when it is sent, without controls', () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at}\u001b[31m\u0007`)
  const { prompt, sent, type } = open()
  type('see ', paste(lines.join('\r\n')))
  expect(linesOf(prompt).join('\n')).toContain('[paste #1 +30 lines]')
  expect(prompt.text).toContain('line 29')
  type('\r')
  expect(sent[0]).toBe(`see ${lines.map((_, at) => `line ${at}`).join('\n')}`)
})

test('a paste that ends with a line end does not send', () => {
  const { prompt, sent, type } = open()
  type(paste('rm -rf\r'), 'x')
  expect(sent).toEqual([])
  expect(prompt.text).toBe('rm -rf\nx')
})

test.each(['en', 'zh'] as const)('where nothing is typed, it says in %s what can be', (lang) => {
  const { prompt, type } = open({ lang })
  const said = lang === 'en' ? /Ask anything/ : /输入问题/
  expect(linesOf(prompt)[1]).toMatch(said)
  type('a')
  expect(linesOf(prompt)[1]).toBe(`${sign} a`)
})

test.each([24, 60])('of many lines, at most 10 rows are shown on %i rows', (rows) => {
  const { prompt, type } = open({ rows, lang: 'zh' })
  for (let at = 0; at < 30; at++) type(String(at % 10), '\n')
  const lines = linesOf(prompt)
  expect(lines.length).toBeLessThanOrEqual(12)
  expect(lines[0]).toMatch(/上方还有 \d+ 行/)
})

test('the cursor is in the cell behind Chinese text', async () => {
  const { prompt, type } = open()
  type('你', '好', 'a')
  const { cursor, told, shown } = await drawOnTerminal(prompt)
  expect(shown[cursor.row]).toBe(`${sign} 你好a`)
  expect(cursor).toEqual({ row: 1, column: 7 })
  expect(told).toEqual(cursor)
  type('\u001b[D', '\u001b[D')
  expect((await drawOnTerminal(prompt)).cursor).toEqual({ row: 1, column: 4 })
})

test('and where it is empty, before the placeholder', async () => {
  const { cursor, told } = await drawOnTerminal(open({ lang: 'zh' }).prompt)
  expect(cursor).toEqual({ row: 1, column: 2 })
  expect(told).toEqual(cursor)
})

test.each([7, 8, 9, 10, 11, 12])(
  'at the edge of %i columns it never leaves the row',
  async (columns) => {
    const { prompt, type } = open()
    for (const letter of '汉字ab汉字c汉字') {
      type(letter)
      const { cursor, told, shown } = await drawOnTerminal(prompt, { columns })
      expect(cursor).toEqual(told)
      expect(cursor.column).toBeLessThan(columns)
      const before = shown[cursor.row]?.slice(2) ?? ''
      expect(cursor.column).toBe(2 + visibleWidth(before))
    }
  },
)

test('no row is wider than the terminal, and without the keys there is no cursor', () => {
  const { prompt, type } = open({ theme: themes.colored })
  prompt.setQueued(['a'.repeat(100), '好'.repeat(100)])
  type(...'some words and 一些中文 that wrap around the edge')
  for (const width of [1, 2, 3, 10, 33, 200]) {
    for (const line of prompt.render(width)) expect(visibleWidth(line)).toBeLessThanOrEqual(width)
  }
  prompt.focused = false
  expect(prompt.render(40).join('')).not.toContain(CURSOR_MARKER)
})

test('without colours there is no escape sequence but the mark of the cursor', () => {
  const { prompt, type } = open()
  prompt.setQueued(['x'])
  type('a', 'b', '\u001b[D')
  expect(linesOf(prompt).join('')).not.toContain('\u001b')
})

test('Up and Down go through what was sent, also by earlier runs', async () => {
  await using folder = await temporaryDirectory()
  const file = join(folder.path, 'history')
  const first = open({ file })
  first.type('o', 'l', 'd', '\r')
  await first.history.flush()
  const { prompt, type, history } = open({ file })
  await history.loaded
  await Promise.resolve()
  type('n', 'e', 'w', '\r', '\u001b[A')
  expect(prompt.text).toBe('new')
  type('\u001b[A')
  expect(prompt.text).toBe('old')
  type('\u001b[B', '\u001b[B')
  expect(prompt.text).toBe('')
  await history.flush()
})

test('a line that begins with a space is sent, and kept nowhere', () => {
  const { sent, added, prompt, type } = open()
  type(...' secret', '\r', '\u001b[A')
  expect(sent).toEqual(['secret'])
  expect(added).toEqual([])
  expect(prompt.text).toBe('')
})

test('what waits is shown above, and Up takes the last of it back', () => {
  const { prompt, told, type } = open({ entries: ['older'] })
  prompt.setQueued(['first', 'second \u001b[2J', 'third', 'fourth'])
  const shown = linesOf(prompt)
  expect(shown.slice(0, 5)).toEqual([
    '1 more',
    'waits: second',
    'waits: third',
    'waits: fourth',
    'Up takes the last one back',
  ])
  type('\u001b[A')
  expect(prompt.text).toBe('fourth')
  expect(told).toEqual([3])
  expect(linesOf(prompt).join('\n')).not.toContain('waits: fourth')
})

test('Esc and Ctrl+C that nobody took are told', () => {
  const { told, type } = open()
  type('\u001b', '\u0003')
  expect(told).toEqual(['cancel', 'cancel'])
})

const commands: Completion[] = [
  { value: 'help', label: '/help', about: 'what can be done' },
  { value: 'mcp', label: '/mcp', about: 'servers \u001b[31mof tools' },
]

test('Tab completes a command and its argument, and Enter sends', async () => {
  const asked: CompletionQuery[] = []
  const complete: Complete = async (query) => {
    asked.push(query)
    if (query.kind === 'argument') return [{ value: 'list', label: 'list' }]
    return commands.filter(({ value }) => value.startsWith(query.text))
  }
  const { prompt, sent, type } = open({ complete })
  type('/')
  await expect.poll(() => linesOf(prompt).join('\n')).toContain('servers of tools')
  type('m')
  await expect.poll(() => linesOf(prompt).join('\n')).not.toContain('/help')
  type('\t')
  expect(prompt.text).toBe('/mcp ')
  type('\t')
  await expect.poll(() => prompt.text).toBe('/mcp list ')
  type('\r')
  expect(sent).toEqual(['/mcp list'])
  expect(asked.at(-1)).toEqual({ kind: 'argument', text: '', before: 'mcp' })
})

test('Enter on a command of the list sends it at once', async () => {
  const { prompt, sent, type } = open({ complete: async () => commands })
  type('/')
  await expect.poll(() => prompt.isBusy).toBe(true)
  type('\r')
  expect(sent).toEqual(['/help'])
})

test('a mention is completed in the middle of a line, in quotes where it has blanks', async () => {
  const complete: Complete = async () => [
    { value: 'orders.query', label: 'orders.query', about: 'tool' },
    { value: 'my file.md', label: 'my file.md' },
    { value: 'bad\u001b[2Jname', label: 'bad' },
  ]
  const { prompt, type } = open({ complete })
  type('a', ' ', 'b', '\u001b[D', '@')
  await expect.poll(() => prompt.isBusy).toBe(true)
  expect(linesOf(prompt).join('\n')).not.toContain('bad')
  type('\u001b[B', '\r')
  expect(prompt.text).toBe('a @"my file.md" b')
})

test('Esc closes the list and nothing else', async () => {
  const { prompt, told, type } = open({ complete: async () => commands })
  type('/')
  await expect.poll(() => prompt.isBusy).toBe(true)
  type('\u001b')
  expect(prompt.isBusy).toBe(false)
  expect(told).toEqual([])
})

test('a question that hangs neither stops typing nor the next question', async () => {
  const signals: AbortSignal[] = []
  const complete: Complete = (query, signal) => {
    signals.push(signal)
    if (query.text === '') return new Promise(() => {})
    return Promise.resolve([{ value: 'orders', label: 'orders' }])
  }
  const { prompt, type } = open({ complete })
  type('@')
  await expect.poll(() => signals.length).toBe(1)
  type('o')
  expect(prompt.text).toBe('@o')
  await expect.poll(() => prompt.isBusy).toBe(true)
  expect(signals[0]?.aborted).toBe(true)
})

test('a question that fails is one without an answer', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const complete: Complete = async () => {
    resolve()
    throw new Error('away')
  }
  const { prompt, type } = open({ complete })
  type('@')
  await promise
  type('x')
  expect(prompt.text).toBe('@x')
})

test('the search through the history puts what it found into the editor', () => {
  const { prompt, type } = open({ entries: ['show orders', 'count users'] })
  prompt.searchHistory()
  expect(prompt.isBusy).toBe(true)
  type('o', 'r', 'd', '\r')
  expect(prompt.text).toBe('show orders')
  prompt.searchHistory()
  type('x', '\u001b')
  expect(prompt.text).toBe('show orders')
  expect(prompt.isBusy).toBe(false)
})

test('a search is left by what clears the prompt, and what is typed in it is no empty prompt', () => {
  const { prompt, type } = open({ entries: ['show orders'] })
  prompt.searchHistory()
  type('x')
  expect(prompt.isEmpty).toBe(false)
  prompt.clear()
  expect(prompt.isBusy).toBe(false)
  expect(prompt.isEmpty).toBe(true)
})

test('an editor that cannot be started leaves the draft', async () => {
  const { prompt, type } = open()
  type('a')
  expect(await prompt.editExternally()).toMatchObject({ status: 'failed' })
  expect(prompt.text).toBe('a')
})

test('where the terminal has ASCII only, there is nothing else', async () => {
  const { prompt, type } = open({ theme: themes.ascii, complete: async () => commands })
  prompt.setQueued(['x'.repeat(200)])
  type(...'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven')
  const shown = prompt.render(40)
  prompt.clear()
  type('/')
  await expect.poll(() => prompt.isBusy).toBe(true)
  const listed = prompt.render(60)
  prompt.clear()
  prompt.searchHistory()
  const all = [...shown, ...listed, ...prompt.render(60)].join('').replaceAll(CURSOR_MARKER, '')
  expect(all).toMatch(/^[ -~]*$/)
})
