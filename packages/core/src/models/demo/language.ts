import type { ModelMessage } from '../contract.ts'

export type Language = 'zh' | 'en'

/** A text in both languages. */
export type Bilingual = Readonly<Record<Language, string>>

const looked = 2_000

/** The language of what the user says: of the last message that is more than a name or number. */
export function languageOf(messages: readonly ModelMessage[]): Language {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]!
    const language = message.role === 'user' ? judge(message.content.slice(0, looked)) : undefined
    if (language) return language
  }
  return 'en'
}

function judge(text: string): Language | undefined {
  if (/\p{Script=Han}/u.test(text)) return 'zh'
  return /[A-Za-z]{2,}[^\S\n]+[A-Za-z]{2,}|^\s*[A-Za-z]{2,}[\s!.?]*$/.test(text) ? 'en' : undefined
}
