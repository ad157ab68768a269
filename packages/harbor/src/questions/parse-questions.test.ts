import { isAppError, questionSchema } from '@dataagent/schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatOf, type QuestionFormat } from './format.ts'
import { parseQuestions } from './parse-questions.ts'
import { toPromptfoo } from './to-promptfoo.ts'

const parse = (text: string, format?: QuestionFormat) =>
  parseQuestions(text, { name: 'given', format })

function refusalOf(text: string, format?: QuestionFormat): { code: string; message: string } {
  try {
    parse(text, format)
  } catch (error) {
    if (isAppError(error)) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('it was taken')
}

const orders = {
  question: 'How many orders?',
  expected_keywords: ['12', 'orders'],
  expected_pattern: '\\d+',
  category: 'sales',
  difficulty: 'easy',
}

describe('formats', () => {
  test('a JSON file with the five fields is read [D27.1] [D27.2]', () => {
    const { name, questions } = parse(JSON.stringify([orders]))
    expect(name).toBe('given')
    expect(questions).toEqual([
      {
        ...orders,
        ...{ question_id: 'q1', expected_tools: [], expected_sql: null, tags: [] },
        max_seconds: null,
      },
    ])
  })

  const yaml = 'name: shop\nquestions:\n  - id: a\n    question: 多少订单?\n    tags: [x]\n'
  test.each<[string, string]>([
    [
      'an object with a name',
      '{"name":"shop","questions":[{"id":"a","question":"多少订单?","tags":"x"}]}',
    ],
    ['YAML', yaml],
    ['YAML of Windows with a mark at its begin', `\ufeff${yaml.replaceAll('\n', '\r\n')}`],
  ])('%s is read as the same set', (_, text) => {
    const { name, questions } = parse(text)
    expect(name).toBe('shop')
    expect(questions).toMatchObject([{ question_id: 'a', question: '多少订单?', tags: ['x'] }])
  })

  test('JSON lines may have empty lines', () => {
    const { questions } = parse('{"question":"a"}\n\n{"question":"b"}\n')
    expect(questions.map(({ question_id, question }) => [question_id, question])).toEqual([
      ['q1', 'a'],
      ['q2', 'b'],
    ])
  })

  test('null is as absent, one keyword need not be a list, and a number is a keyword', () => {
    const text = '- question: a\n  expected_keywords: 12\n  expected_pattern: null\n  category: ~\n'
    expect(parse(text).questions[0]).toMatchObject({
      ...{ expected_keywords: ['12'], expected_pattern: null, category: null },
    })
  })

  test.each([
    ['a/questions.json', 'json'],
    ['q.JSONL', 'jsonl'],
    ['q.ndjson', 'jsonl'],
    ['q.yml', 'yaml'],
    ['C:\\x\\promptfooconfig.yaml', 'promptfoo'],
    ['promptfooconfig.shop.json', 'promptfoo'],
    ['questions', undefined],
  ])('%s is %s', (file, format) => {
    expect(formatOf(file)).toBe(format)
  })
})

describe('what does not fit', () => {
  test.each<[string, string, string]>([
    [
      'a wrong type',
      '[{"question":"a"},\n{"question":"b","max_seconds":"5"}]',
      'question 2 (line 2): max_seconds: expected number, got string',
    ],
    [
      'a misspelled field',
      '- question: a\n- question: b\n  expected_keyword: x\n',
      'question 2 (line 2): expected_keyword: expected no such field, got string',
    ],
    [
      'no question',
      '{"questions":[{"id":"a"}]}',
      'question 1 (line 1): question: expected string, got nothing',
    ],
    ['an empty question', '[{"question":"  "}]', 'question: expected some text'],
    [
      'an empty keyword',
      '[{"question":"a","expected_keywords":["b"," "]}]',
      'expected_keywords[1]: expected at least 1 character',
    ],
    [
      'a bad pattern',
      '[{"question":"a","expected_pattern":"a(b"}]',
      'question 1 (line 1): expected_pattern: expected a regular expression (RE2): missing closing )',
    ],
    [
      'a pattern that may take for ever',
      '[{"question":"a","expected_pattern":"(?=a)"}]',
      'invalid or unsupported Perl syntax: `(?=`',
    ],
    [
      'an id twice',
      '{"id":"a","question":"x"}\n{"id":"a","question":"y"}',
      'question 2 (line 2): question_id: "a" is that of question 1 too',
    ],
    [
      'the id of a place',
      '[{"id":"q2","question":"x"},{"question":"y"}]',
      '"q2" is that of question 1 too',
    ],
    [
      'both ids',
      '[{"id":"a","question_id":"b","question":"x"}]',
      'has both "id" and "question_id"',
    ],
    ['something else', '"hello"', 'expected a list of questions'],
    ['an item that is no object', '[1]', 'question 1 (line 1): expected an object'],
    ['an empty list', '[]', 'there is no question in it'],
    ['an empty text', ' \n', 'there is no question in it'],
  ])('%s is refused with its place [D27.1]', (_, text, message) => {
    const refused = refusalOf(text)
    expect(refused.code).toBe('invalid_request')
    expect(refused.message).toContain(message)
  })

  test.each<[string, string, QuestionFormat | undefined, string]>([
    [
      'JSON',
      '[{"question":"a"}\n{"question":"b"}]',
      undefined,
      'the JSON cannot be read in line 2',
    ],
    ['cut JSON', '[{"question":"a"},\n', undefined, 'the JSON cannot be read in line 1'],
    ['a line', '{"question":"a"}\n{"question":}\n', 'jsonl', 'the JSON cannot be read in line 2'],
    ['YAML', '- question: a\n- b: [1,\n- c: 2', undefined, 'the YAML cannot be read in line 3'],
    ['a key twice', '- question: a\n  question: b', undefined, 'the YAML cannot be read in line 2'],
  ])('%s that is none is refused with its line', (_, text, format, message) => {
    const refused = refusalOf(text, format)
    expect(refused.code).toBe('parse_error')
    expect(refused.message).toContain(message)
  })

  test('all that is wrong is told at once, of much the first', () => {
    const { message } = refusalOf(JSON.stringify(Array.from({ length: 9 }, () => ({ id: 1 }))))
    expect(message).toContain('question 5')
    expect(message).toContain('and 4 more')
  })

  test('YAML that grows without end is refused', () => {
    const line = (name: string, of: string) => `${name}: &${name} [${`*${of},`.repeat(9)}]\n`
    const bomb = `a: &a [x]\n${line('b', 'a')}${line('c', 'b')}${line('d', 'c')}`
    expect(refusalOf(bomb).code).toBe('parse_error')
    expect(refusalOf(`x: ${'['.repeat(1_000_000)}`).message).toContain('nested too deep')
  })

  test('a map of very many keys takes no long', () => {
    const keys = Array.from({ length: 20_000 }, (_, at) => `k${at}: x\n`).join('')
    expect(refusalOf(keys).code).toBe('invalid_request')
  })

  test('more than the limits is refused', () => {
    expect(refusalOf(`- question: ${'a'.repeat(4_000_001)}`)).toMatchObject({ code: 'too_large' })
    const many = `${'{"question":"a"}\n'.repeat(100_001)}`
    expect(refusalOf(many)).toMatchObject({ code: 'too_large' })
    const named = JSON.stringify({ name: 'n'.repeat(1_001), questions: [{ question: 'a' }] })
    expect(refusalOf(named)).toMatchObject({ code: 'too_large' })
    expect(refusalOf(' '.repeat(64 * 1024 * 1024 + 1))).toMatchObject({ code: 'too_large' })
  })
})

describe('promptfoo', () => {
  const config = `
description: shop
prompts: ['Answer briefly: {{question}}']
providers: [openai:gpt-5]
defaultTest:
  assert: [{ type: latency, threshold: 5000 }]
tests:
  - vars: { question: How many orders? }
    metadata: { category: sales }
    assert:
      - { type: icontains, value: orders }
      - { type: contains-all, value: 'a, b' }
      - { type: regex, value: '\\d+' }
      - { type: 'trajectory:tool-used', value: [run_query] }
  - vars: { question: [One?, Two?] }
`

  test('prompts, variables and assertions become questions [D27.1]', () => {
    const { name, questions } = parse(config)
    expect(name).toBe('shop')
    expect(questions.map(({ question }) => question)).toEqual([
      'Answer briefly: How many orders?',
      'Answer briefly: One?',
      'Answer briefly: Two?',
    ])
    expect(questions[0]).toMatchObject({
      ...{ expected_keywords: ['orders', 'a', 'b'], expected_pattern: '\\d+', max_seconds: 5 },
      ...{ expected_tools: ['run_query'], category: 'sales' },
    })
  })

  test.each([
    ['assert: [{ type: llm-rubric, value: nice }]', 'test 1: assert[0]: expected one of'],
    ['assert: [{ type: not-contains, value: a }]', '"not-contains" has no counterpart here'],
    ['assert: [{ type: regex, value: a }, { type: regex, value: b }]', 'there are several'],
    ['assert: [{ type: "trajectory:tool-used", value: { pattern: "a*" } }]', 'names of tools'],
    ['threshold: 0.5', '"threshold" has no counterpart here'],
    ['vars: {}', 'vars.question: expected a value'],
  ])('%s is refused by name', (line, message) => {
    const test = line.startsWith('vars') ? line : `vars: { question: a }\n    ${line}`
    expect(refusalOf(`tests:\n  - ${test}\n`).message).toContain(message)
  })

  test('files are refused by name', () => {
    expect(refusalOf('prompts: [file://a.txt]\ntests: file://b.yaml').message).toContain(
      'prompt 1: expected a text; files are not read; tests: expected a list',
    )
    expect(refusalOf('defaultTest: file://c.yaml\ntests: []').message).toContain(
      'defaultTest: expected an object; files are not read',
    )
  })

  test('a set comes back from it unchanged', () => {
    const word = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .map((text) => text.trim())
      .filter((text) => text !== '')
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
    const question = fc.record({
      question: word,
      expected_keywords: fc.array(word, { maxLength: 3 }),
      expected_pattern: maybe(fc.constantFrom('\\d+', '(?i)a|b')),
      expected_tools: fc.array(fc.stringMatching(/^[a-z.]{1,9}$/), { maxLength: 2 }),
      expected_sql: maybe(fc.constant("select 'a'\nfrom t")),
      category: maybe(word),
      difficulty: maybe(word),
      tags: fc.array(word, { maxLength: 2 }),
      max_seconds: maybe(fc.integer({ min: 1, max: 600 })),
    })
    fc.assert(
      fc.property(fc.array(question, { minLength: 1, maxLength: 4 }), (parts) => {
        const questions = parts.map((part, at) =>
          questionSchema.parse({ ...part, question_id: `id-${at}` }),
        )
        const set = { name: 'mine', questions }
        expect(parse(toPromptfoo(set), 'promptfoo')).toEqual(set)
      }),
      { numRuns: 25 },
    )
  })
})
