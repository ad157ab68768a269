import type { ModelMessage } from '../contract.ts'
import type { Language } from './language.ts'
import { readQuestion } from './question.ts'

const looked = 2_000

/**
 * The language of what the user says: of the last message that is more than a name or number, or
 * than a value that the model has asked for.
 */
export function languageOf(messages: readonly ModelMessage[]): Language {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]!
    if (message.role !== 'user') continue
    const language = judge(message.content.slice(0, looked))
    const isValue = language === 'en' && readQuestion(messages[index - 1]) !== undefined
    if (language && !isValue) return language
  }
  return 'en'
}

function judge(text: string): Language | undefined {
  if (/\p{Script=Han}/u.test(text)) return 'zh'
  return /[A-Za-z]{2,}[^\S\n]+[A-Za-z]{2,}|^\s*[A-Za-z]{2,}[\s!.?]*$/.test(text) ? 'en' : undefined
}
