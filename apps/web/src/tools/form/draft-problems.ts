import { isClientError } from '@dataagent/client'
import { fieldPhrases, toPhrase } from '../../api/field-phrases.ts'
import { defineWords } from '../../words/words.ts'
import type { Draft } from './draft.ts'

/** What is wrong, by the name of the field as the API spells it. */
export type Problems = Readonly<Record<string, string>>

export const problemWords = defineWords({
  en: {
    name: 'Give it a name of letters, digits, spaces or . _ @ - (64 at most), a letter or digit first.',
    command: 'Which program is to be started?',
    url: 'Give an address that begins with https:// or http://.',
    timeout: 'Give a number of seconds, at most 86400.',
    expected: (what: string) => `Expected ${what}.`,
    phrases: fieldPhrases.en,
  },
  zh: {
    name: '名称由字母、数字、空格或 . _ @ - 组成，以字母或数字开头，最多 64 个字符。',
    command: '请填写要启动的程序。',
    url: '请填写以 https:// 或 http:// 开头的地址。',
    timeout: '请填写秒数，最大 86400。',
    expected: (what: string) => `应为：${what}。`,
    phrases: fieldPhrases.zh,
  },
})

type ProblemWords = (typeof problemWords)['en']

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,63}$/u

/** What can be seen without asking the server; the rest it says itself. */
export function findProblems(draft: Draft, words: ProblemWords): Problems {
  const seconds = Number(draft.timeout)
  const isLocal = draft.transport === 'stdio'
  const url = URL.parse(draft.url.trim())
  const isWeb = url !== null && /^https?:$/.test(url.protocol)
  return {
    ...(!namePattern.test(draft.name.trim()) && { name: words.name }),
    ...(isLocal && draft.command.trim() === '' && { command: words.command }),
    ...(!isLocal && !isWeb && { url: words.url }),
    ...(!(seconds >= 0 && seconds <= 86_400) && { timeout: words.timeout }),
  }
}

/** The fields that the server says something about; empty where it speaks of none. */
export function fromServer(error: unknown, words: ProblemWords): Problems {
  const errors = isClientError(error) ? error.details?.errors : undefined
  if (!Array.isArray(errors)) return {}
  const told = errors.map((one) => {
    const { path, expected } = one as { path?: unknown; expected?: unknown }
    const field = String(path).replace(/^config\./, '')
    const what = toPhrase(String(expected), words.phrases)
    return [field.split(/[.[]/)[0] ?? '', words.expected(what)] as const
  })
  return Object.fromEntries(told.filter(([field]) => field !== ''))
}
