import { expect, test } from 'vitest'
import { pastePhrases, toPasteText } from './paste-phrases.ts'

const { en, zh } = pastePhrases

test.each([
  ['there is no server in it', '其中没有服务。'],
  ['this looks like JSON, and no server can be found in it', /^内容像是 JSON/],
  ['the option "--scope" is not taken over', '选项“--scope”未采用。'],
  [
    'args[2] looks like a secret and would be shown: use env or headers if it can',
    /^args\[2\] 像是/,
  ],
  ['the line has a pipe: only a single command can be added, as no shell runs it', /^只能添加单个/],
  ['a sentence of a later server', 'a sentence of a later server'],
])('%j is said in Chinese, and as it is in English', (text, said) => {
  expect(toPasteText(text, zh)).toMatch(said)
  expect(toPasteText(text, en)).toBe(text)
})
