import { heldOutSentences } from './held-out.ts'
import { tunedEnglish } from './tuned-en.ts'
import { tunedChinese } from './tuned-zh.ts'

export type SentenceClass = 'explicit' | 'keyword' | 'memory' | 'hitl' | 'normal'

/** A sentence and what a person says that it asks for. */
export interface LabelledSentence {
  text: string
  language: 'zh' | 'en'
  expected: SentenceClass
  /** The tool or server that is meant; its own name, or how the sentence calls an unknown one. */
  names?: string
  hasPendingApproval: boolean
}

/** What was tuned on, and what was kept apart from the beginning. */
export const labelledSentences: Readonly<Record<'tuned' | 'held_out', LabelledSentence[]>> = {
  tuned: [...parse(tunedChinese), ...parse(tunedEnglish)],
  held_out: parse(heldOutSentences),
}

function parse(text: string): LabelledSentence[] {
  let heading: string[] = []
  return text.split('\n').flatMap((line) => {
    if (line === '') return []
    if (!line.startsWith('# ')) return [toSentence(line, heading)]
    heading = line.slice(2).split(' ')
    return []
  })
}

function toSentence(line: string, [language, expected, pending]: string[]): LabelledSentence {
  const bar = line.indexOf(' | ')
  return {
    text: bar === -1 ? line : line.slice(bar + 3),
    language: language as LabelledSentence['language'],
    expected: expected as SentenceClass,
    ...(bar !== -1 && { names: line.slice(0, bar) }),
    hasPendingApproval: expected === 'hitl' || pending === 'pending',
  }
}
