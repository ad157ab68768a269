import { describe, expect, test } from 'vitest'
import { commands } from './commands.ts'
import type { Invocation } from './contract.ts'
import { formatHelp } from './help.ts'
import { parseInvocation } from './parse.ts'

const parse = (line: string) => parseInvocation(line.split(' ').filter(Boolean))
const optionsOf = (invocation: Invocation) =>
  'options' in invocation ? invocation.options : undefined

test('without a command it is interactive, with what was said of it', () => {
  const line =
    '--server https://a.b --agent x --mcp-config a --mcp-config=b -C /d --lang zh --plain'
  expect(parse(line)).toMatchObject({
    kind: 'interactive',
    options: {
      ...{ server: 'https://a.b', assistant_id: 'x', mcpConfigs: ['a', 'b'], folder: '/d' },
      ...{ lang: 'zh', isPlain: true, resume: undefined, trustsProjectMcp: false },
    },
  })
})

test('--assistant is --agent', () => {
  expect(optionsOf(parse('--assistant x'))).toMatchObject({ assistant_id: 'x' })
})

test.for([
  ['--resume abc', { kind: 'session', session_id: 'abc' }],
  ['--resume=abc', { kind: 'session', session_id: 'abc' }],
  ['--resume', { kind: 'choose' }],
  ['--resume --plain', { kind: 'choose' }],
  ['--continue', { kind: 'last' }],
  ['-c', { kind: 'last' }],
] as const)('%s', ([line, resume]) => {
  expect(parse(line)).toMatchObject({ kind: 'interactive', options: { resume } })
})

test('flags of every command stand before or after it, its own after', () => {
  const before = parse('--server http://a run -o json --timeout 3 hello there')
  const after = parse('run -o json --timeout=3 hello --server http://a there')
  expect(before).toEqual(after)
  expect(before).toMatchObject({ kind: 'command', command: 'run', words: ['hello', 'there'] })
  expect(before).toHaveProperty(
    'flags',
    new Map([
      ['output', ['json']],
      ['timeout', ['3']],
    ]),
  )
})

test('after -- all are words', () => {
  expect(parse('run -- --what -x')).toMatchObject({ words: ['--what', '-x'] })
})

test('serve gets every word as it is, also --help', () => {
  const rest = ['--port', '9000', '--help', '--server']
  expect(parse(`--lang zh serve ${rest.join(' ')}`)).toMatchObject({
    ...{ kind: 'command', command: 'serve', rest, options: { lang: 'zh' } },
  })
})

test('mcp reads its own flags; ours are taken out, but not of the command after --', () => {
  const line = 'mcp add files --env A=1 --server http://a -- npx --server b'
  expect(parse(line)).toMatchObject({
    ...{ kind: 'command', command: 'mcp', options: { server: 'http://a' } },
    rest: ['add', 'files', '--env', 'A=1', '--', 'npx', '--server', 'b'],
  })
})

describe('what is wrong is one line that says what was meant', () => {
  test.for([
    ['--sevrer x', 'There is no flag --sevrer. Did you mean --server?'],
    ['run --outptu json x', 'Did you mean --output?'],
    ['sesions', 'There is no command "sesions". Did you mean sessions?'],
    ['what', 'dataagent run "…"'],
    ['sessions lsit', 'dataagent sessions has no "lsit". Did you mean list?'],
    ['sessions show --limit 3 x', 'There is no flag --limit.'],
    ['--server', '--server needs a value: --server URL'],
    ['--server --plain', '--server needs a value'],
    ['--server a.b', 'needs an address'],
    ['--plain=1', '--plain takes no value'],
    ['--lang fr', '--lang is one of en, zh, not "fr"'],
    ['run --approve all x', 'one of never, policy, auto'],
    ['--resume x --continue', 'Only one of'],
  ] as const)('%s: %s', ([line, expected]) => {
    const invocation = parse(line)
    expect(invocation.kind).toBe('wrong')
    const { problem } = invocation as Extract<Invocation, { kind: 'wrong' }>
    expect(problem.en).toContain(expected)
    expect(problem.zh).not.toBe(problem.en)
    expect(problem.en + problem.zh).not.toContain('\n')
  })
})

describe('help', () => {
  test('is asked for in several ways', () => {
    const topics = ['--help', 'help', 'help run', 'run --help', 'sessions export -h', 'mcp add -h']
    expect(topics.map((line) => (parse(line) as { topic?: string[] }).topic)).toEqual([
      ...[[], [], ['run'], ['run'], ['sessions', 'export'], ['mcp', 'add']],
    ])
  })

  test.for(['en', 'zh'] as const)('names every command and flag, with examples: %s', (lang) => {
    const main = formatHelp([], lang) ?? ''
    for (const { name, about, flags, examples, actions = [] } of commands) {
      expect(main).toContain(about[lang])
      const own = formatHelp([name], lang) ?? ''
      for (const flag of [...flags, ...actions.flatMap((action) => action.flags)])
        expect(own).toContain(`--${flag.name}`)
      for (const { line } of examples) expect(own).toContain(line)
      for (const action of actions)
        expect(formatHelp([name, action.name], lang)).toContain('dataagent')
      expect(examples.length).toBeGreaterThan(0)
    }
  })

  test('every example is a command line that can be read', () => {
    for (const { line } of commands.flatMap(({ examples }) => examples)) {
      const [, , rest = ''] = /(^|\| |<\()dataagent ?([^|)]*)/.exec(line) ?? []
      expect(parse(rest.replace(/"[^"]*"/g, 'text')).kind).not.toBe('wrong')
    }
  })
})

test('an address with a password is refused, and the password not repeated', () => {
  const refused = parse('--server https://ana:s3cret@a.b run hi')
  const problem = 'problem' in refused ? refused.problem.en : ''
  expect(problem).toContain('https://***@a.b')
  expect(problem).not.toContain('s3cret')
})
