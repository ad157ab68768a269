import type { ModelMessage } from '../contract.ts'
import { cutAtWord } from './cut-at-word.ts'
import type { Language } from './language.ts'
import type { Field } from './schema-fields.ts'

/** What the model has asked the user for: found again in the conversation by its wording. */
export interface Question {
  tool: string
  fields: readonly string[]
}

/** Asks for the fields that a tool needs [A3.3]. `readQuestion` understands it. */
export function toQuestion(tool: string, fields: readonly Field[], language: Language): string {
  const list = fields.map((field) => `\`${field.name}\`${explain(field, language)}`)
  return language === 'zh'
    ? `要用 \`${tool}\`，我还需要：${list.join('、')}。请告诉我。`
    : `To use \`${tool}\` I still need: ${list.join(', ')}. What should it be?`
}

const explainMax = 120

function explain({ description, values, type }: Field, language: Language): string {
  const choice = values.length > 0 ? values.slice(0, 12).join(' | ') : undefined
  const told = (description || choice || (type === 'string' ? '' : type)).replaceAll('`', "'")
  if (told === '') return ''
  const cut = cutAtWord(told, explainMax)
  return language === 'zh' ? `（${cut}）` : ` (${cut})`
}

const asked = /(?:要用|To use) `([^`\n]{1,128})`(?:，我还需要：| I still need: )([^\n]{1,4000})/
const named = /`([^`\n]{1,128})`/g

/** The question that an answer of this model ends with; undefined for any other message. */
export function readQuestion(message: ModelMessage | undefined): Question | undefined {
  if (message?.role !== 'assistant' || message.tool_calls.length > 0) return undefined
  const found = asked.exec(message.content.slice(-5_000))
  if (!found) return undefined
  const fields = [...(found[2] ?? '').matchAll(named)].map(([, name = '']) => name)
  return { tool: found[1] ?? '', fields }
}
