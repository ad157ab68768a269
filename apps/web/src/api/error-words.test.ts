import { ClientError } from '@dataagent/client'
import { errorTable } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { formatsOf } from '../words/formats.ts'
import { errorWords, toProblem } from './error-words.ts'
import { fieldPhrases, toPhrase } from './field-phrases.ts'

const english = /[A-Za-z]{3,}/

test('every code of the server has words in Chinese', () => {
  const told = Object.keys(errorTable).map((code) => errorWords.zh.codes[code])
  for (const text of told) expect(text).not.toMatch(english)
  expect(told).not.toContain(undefined)
})

test('an error is told in the language of the page, with what is known of it', () => {
  const taken = new ClientError('there is a user ana already', {
    ...{ status: 409, error_code: 'conflict', details: { reason: 'exists' } },
  })
  expect(toProblem(taken, errorWords.zh, formatsOf('zh'))).toBe('已经存在，请换一个标识。')
  expect(toProblem(taken, errorWords.en, formatsOf('en'))).toBe('there is a user ana already')
  const full = new ClientError('the tenant may have 2 users', {
    ...{ status: 429, error_code: 'quota_exceeded', details: { limit: 'max_users', max: 2 } },
  })
  expect(toProblem(full, errorWords.zh, formatsOf('zh'))).toBe(
    '已达到上限。 上限为 2（max_users）。',
  )
})

test('what only the server knows of an error is kept in its own words', () => {
  const toldOf = (error_code: string, message: string, details = {}) =>
    toProblem(
      new ClientError(message, { status: 400, error_code, details }),
      errorWords.zh,
      formatsOf('zh'),
    )
  expect(toldOf('upstream_failed', 'invalid api key')).toBe(
    '对方服务出错，请稍后再试。 原文：invalid api key',
  )
  expect(toldOf('path_denied', '../secret is outside')).toMatch(/原文：\.\.\/secret/)
  expect(toldOf('upstream_failed', 'x'.repeat(5000)).length).toBeLessThan(400)
  expect(toldOf('internal', 'at line 5')).toBe('服务出现故障。')
  const errors = [{ path: 'name', expected: 'a string' }]
  expect(toldOf('invalid_request', 'the body is not valid', { errors })).not.toContain('原文')
})

test.each([
  ['a string (Number of the order)', '文本（Number of the order）'],
  ['1 (a number)', '1（数字）'],
  ['a string or null', '文本或空值'],
  ['nothing', '未填写'],
  ['no such field', '没有这个字段'],
  ['a string of 5 characters', '5 个字符的文本'],
  ['an array of strings', '文本列表'],
  ['an object with id, name', '含 id, name 的对象'],
  ['at most 191 characters', '最多 191 个字符'],
  ['at least 1', '不小于 1'],
  ['"a" | "b"', '"a" | "b"'],
  ['true or false', '是或否'],
])('what a field must be, %j, is said in Chinese', (text, told) => {
  expect(toPhrase(text, fieldPhrases.zh)).toBe(told)
  expect(toPhrase(text, fieldPhrases.en)).toBe(text)
})
