import { askingReasons } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { inboxWords } from './inbox-words.ts'
import { toWhy } from './to-why.ts'

test('why a person is asked is told in the language of the page', () => {
  const byRule = 'a rule of the tenant says so (r-1)'
  expect(toWhy(byRule, inboxWords.en)).toBe(byRule)
  expect(toWhy(byRule, inboxWords.zh)).toBe('租户层级的规则要求询问（r-1）')
  const destroys = 'its server says that it is destructive'
  expect(toWhy(destroys, inboxWords.zh)).toBe('服务声明该工具具有破坏性')
  expect(toWhy('of tomorrow', inboxWords.zh)).toBe('of tomorrow')
})

test.each(Object.values(askingReasons))(
  'there are words for what the server says: %s',
  (reason) => {
    expect(toWhy(reason, inboxWords.en)).toBe(reason)
    expect(toWhy(reason, inboxWords.zh)).toMatch(/\p{Script=Han}{3}/u)
  },
)
