import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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
    '租户最多可有 2 个用户。请移除一个，或请平台管理员提高上限。',
  )
})

test.each(['en', 'zh'] as const)('a limit is told in words of the page: %s', (lang) => {
  const words = errorWords[lang]
  const toldOf = (limit: string, max: number) =>
    toProblem(
      new ClientError('no', { status: 429, error_code: 'quota_exceeded', details: { limit, max } }),
      ...([words, formatsOf(lang)] as const),
    )
  for (const name of limitsOfTheServer()) {
    expect(Object.keys(words.limits.limits)).toContain(name)
    expect(toldOf(name, 7)).toMatch(/\b7\b/)
    expect(toldOf(name, 7)).not.toContain(name.includes('_') ? name : `(${name})`)
  }
  expect(toldOf('workspace_quota', 2_500_000)).toContain('2.5 MB')
  expect(toldOf('max_users', 1_500)).toContain('1,500')
  expect(toldOf('of_tomorrow', 3)).toMatch(lang === 'en' ? /limit is 3/ : /上限为 3/)
  expect(toldOf('of_tomorrow', 3)).not.toContain('of_tomorrow')
})

/** Every name that an error of the sources gives to a limit. */
function limitsOfTheServer(): string[] {
  const cwd = fileURLToPath(new URL('../../../..', import.meta.url))
  const sources = ['packages/{core,hub,store,gateway}/src/**/*.ts', 'apps/server/src/**/*.ts']
  const texts = globSync(sources, { cwd })
    .filter((path) => !/\.test\.|\/(test|describe)-/.test(path))
    .map((path) => readFileSync(`${cwd}/${path}`, 'utf8'))
  const names = texts.flatMap((text) => [...text.matchAll(/\blimit: '(\w+)'/g)])
  const found = new Set(names.map(([, name = '']) => name))
  expect(found.size).toBeGreaterThan(10)
  return [...found, 'max_mcp_servers', 'mcp_servers_per_user']
}

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
