import { questionSchema } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { type Invocation, parseInvocation } from '../../args/index.ts'
import type { ProgramContext } from '../contract.ts'
import { UsageError } from './files.ts'
import { fits, toFilters } from './filter.ts'
import { toRequest } from './request.ts'

/** What `dataagent harbor run` would do with these flags. */
function read(line: string) {
  const argv = ['harbor', 'run', ...line.split(' ')]
  const said = parseInvocation(argv) as Extract<Invocation, { kind: 'command' }>
  expect(said.kind).toBe('command')
  const context = { options: said.options, cwd: '/here' } as ProgramContext
  return toRequest({ ...said, words: said.words.slice(1) }, context)
}

test('without flags it is a closed load of four, over REST, into a folder of its own', () => {
  expect(read('q.json')).toEqual({
    ...{ file: 'q.json', url: undefined, attempts: 1, transport: 'rest', approve: 'never' },
    load: {
      ...{ mode: 'closed', concurrency: 4, ramp_seconds: 0, warm_up_seconds: 0 },
      duration_seconds: null,
    },
    ...{ maxSeconds: 120, filters: [], out: undefined, resume: undefined, baseline: undefined },
    ...{ formats: new Set(['json', 'junit', 'html']), failUnder: undefined, sqlSource: undefined },
    ...{ isQuiet: false, isJson: false },
  })
})

test('a rate is an open load, with room for many at once', () => {
  expect(read('q.json --rate 2.5 --duration 60 --ramp 5 --warm-up 10').load).toEqual({
    ...{ mode: 'rate', rate: 2.5, concurrency: 100, ramp_seconds: 5, warm_up_seconds: 10 },
    duration_seconds: 60,
  })
})

test.for([
  ['--format json,html', { formats: new Set(['json', 'html']) }],
  ['--format junit --format json', { formats: new Set(['junit', 'json']) }],
  ['--fail-under 90', { failUnder: 0.9 }],
  ['--resume', { resume: { kind: 'last' } }],
  ['--resume runs/a', { resume: { kind: 'folder', folder: '/here/runs/a' } }],
  ['--out runs/b', { out: '/here/runs/b' }],
  ['--timeout 0.5', { maxSeconds: 0.5 }],
  ['--approve auto --transport ws -q', { approve: 'auto', transport: 'ws', isQuiet: true }],
] as const)('%s', ([flags, expected]) => {
  expect(read(`q.json ${flags}`)).toMatchObject(expected)
})

test.for([
  ['--concurrency 0', '--concurrency needs a number (1 … 10000), not "0".'],
  ['--concurrency 1.5', 'not "1.5"'],
  ['--rate fast', 'not "fast"'],
  ['--rate 0', '(>0 …'],
  ['--fail-under 101', '(0 … 100)'],
  ['--url nonsense', '--url needs an address such as https://agents.example.com, not "nonsense"'],
  ['--url https://me:hush@a.example', 'not "https://***@a.example"'],
  ['--format pdf', 'some of json, junit, html'],
  ['--filter colour=red', 'not "colour"'],
  ['--out a --resume b', 'Only one of'],
] as const)('%s: %s', ([flags, expected]) => {
  expect(() => read(`q.json ${flags}`)).toThrow(UsageError)
  expect(() => read(`q.json ${flags}`)).toThrow(expected)
})

const question = questionSchema.parse({
  ...{ question_id: 'q1', question: 'x', category: 'files', tags: ['smoke', 'a=b'] },
})

test.for([
  [[], true],
  [['tag=smoke'], true],
  [['tag=a=b'], true],
  [['tag=slow', 'tag=smoke'], true],
  [['tag=slow'], false],
  [['tag=smoke', 'category=maths'], false],
  [['id=q1', 'category=files'], true],
  [['files'], true],
  [['maths'], false],
] as const)('--filter %j: %s', ([said, expected]) => {
  expect(fits(question, toFilters(said))).toBe(expected)
})
