import { AppError, createSecret } from '@dataagent/schema'
import { expect, test } from 'vitest'
import type { Config } from '../config/index.ts'
import { createTestLog, testConfig } from '../testing/test-app.ts'
import { createLogMasker } from './log-masker.ts'
import { bindSpan, createLogger, createRequestLogger } from './logger.ts'
import { createPrettySink } from './pretty.ts'
import { inRequest, inSpan, inTrace } from './request-scope.ts'

function createLines(change: Partial<Config> = {}) {
  const lines: string[] = []
  const sink = { write: (line: string) => void lines.push(line) }
  const masker = createLogMasker(testConfig(change))
  return { lines, sink, masker, log: createLogger({ level: 'debug', masker, sink }) }
}

test('a record is one line of JSON [D22.1]', () => {
  const { lines, log } = createLines()
  log.info('started')
  expect(lines).toHaveLength(1)
  expect(lines[0]?.endsWith('}\n')).toBe(true)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ message: 'started' })
})

test('a record has timestamp, level, message and request_id [D22.2]', () => {
  const { log, records } = createTestLog()
  inRequest('abc', () => log.info('inside'))
  log.info('outside')
  expect(records).toEqual([
    {
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      level: 'info',
      message: 'inside',
      request_id: 'abc',
    },
    { timestamp: expect.any(String), level: 'info', message: 'outside', request_id: null },
  ])
})

test('within a span a record has its ids, also after the flow of its request has ended [D22.2]', () => {
  const { log, records } = createTestLog()
  const span = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) }
  const traceparent = `00-${span.trace_id}-${span.span_id}-01`
  const traced = { ...span, context: { traceparent } }
  inRequest('abc', () => inSpan(traced, () => log.info('inside')))
  inTrace(traceparent, () => log.info('picked up'))
  const ofRequest = createRequestLogger(log, 'abc')
  bindSpan(ofRequest, traced)
  ofRequest.info('later')
  inTrace(null, () => log.info('outside'))
  const ids = records.map(({ request_id, trace_id, span_id }) => [request_id, trace_id, span_id])
  expect(ids).toEqual([
    ['abc', span.trace_id, span.span_id],
    [null, span.trace_id, span.span_id],
    ['abc', span.trace_id, span.span_id],
    [null, undefined, undefined],
  ])
})

test('levels are debug, info, warning and error, and the threshold is kept [D11.5]', () => {
  const { log, records } = createTestLog()
  log.debug('d')
  log.info('i')
  log.warn('w')
  log.error('e')
  log.fatal('f')
  log.level = 'warn'
  log.info('not seen')
  expect(records.map(({ level }) => level)).toEqual(['debug', 'info', 'warning', 'error', 'error'])
})

const hostile = [
  'two\nlines\r\n{"level":"info","message":"forged"}',
  '\u001b[2J\u001b]52;c;aGk=\u0007 \u009b31m red',
  'next\u0085line\u2028separator\u2029 bidi \u202etxt.exe',
  'quote " backslash \\ brace }',
  'lone \ud800 surrogate',
]

test.each(hostile)('a message of %j stays one record and one line [T63]', (text) => {
  const { lines, log } = createLines()
  log.warn({ [text]: text, deep: [{ text }] }, text)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(lines.join('').slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202e]/)
  const [record] = lines.map((line) => JSON.parse(line))
  expect(record).toMatchObject({ level: 'warning', message: text })
})

test.each(hostile)('on a terminal %j cannot start a line or give a command [T63]', (text) => {
  const { lines, sink, masker } = createLines()
  const pretty = createPrettySink(sink, { colour: false })
  const log = createLogger({ level: 'debug', masker, sink: pretty })
  log.warn({ [text]: text }, text)
  expect(lines).toHaveLength(1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(lines.join('').slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202e]/)
})

test('long, deep, wide and circular values are cut', () => {
  const { lines, log } = createLines()
  const circular: Record<string, unknown> = { text: 'x'.repeat(1_000_000) }
  circular.bytes = Buffer.alloc(1_000_000)
  circular.big = 2n ** 70n
  circular.self = circular
  circular.many = Array.from({ length: 10_000 }, (_, i) => i)
  log.info(circular, 'm'.repeat(1_000_000))
  const record = JSON.parse(lines.join(''))
  expect(lines.join('').length).toBeLessThan(200_000)
  expect(record.message).toMatch(/^m{8192}\[cut, 1000000 characters\]$/)
  expect(record.bytes).toBe('[1000000 bytes]')
})

test('an error is logged with code, data, stack and causes, whichever way it is given', () => {
  const { log, records } = createTestLog()
  const error = new AppError('conflict', 'taken', { data: { name: 'x' }, cause: new Error('why') })
  log.error(error)
  log.error({ error }, 'with words')
  log.error({ err: error })
  for (const record of records) {
    expect(record.error).toMatchObject({
      name: 'AppError',
      code: 'conflict',
      data: { name: 'x' },
      stack: expect.stringContaining('logger.test.ts'),
      cause: { message: 'why' },
    })
  }
  expect(records.map(({ message }) => message)).toEqual(['taken', 'with words', 'taken'])
})

test('secrets are masked by key and by value: in message, parameters, fields, bindings, errors [E6.2]', () => {
  const { lines, log } = createLines({
    api_keys: [createSecret('canary-configured')],
    database_url: createSecret('mysql://user:canary%2Fpassword@host/db'),
    master_key: createSecret('canary-master'),
  })
  const values = ['canary-configured', 'canary/password', 'canary-master']
  for (const value of values) {
    const error = new Error(`with ${value}`, { cause: new Error(value) })
    log.info(`in words ${value} %s %o`, value, { a: value })
    log.child({ bound: value }).info({ a: { b: [value] }, error }, value)
    log.error(error)
  }
  const headers = { Authorization: 'canary', 'x-api-key': 'canary', cookie: 'canary' }
  const body = { password: 'canary', apiKey: 'canary', token: 'canary', sessionToken: 'canary' }
  log.info({ headers, body }, 'token=canary')
  expect(lines).toHaveLength(10)
  expect(lines.join('')).not.toContain('canary')
})
