import type { Question } from '@dataagent/schema'

/** A question as a form holds it: texts, lists one in each line. */
export type QuestionFields = Record<
  | 'question_id'
  | 'question'
  | 'keywords'
  | 'pattern'
  | 'tools'
  | 'sql'
  | 'category'
  | 'difficulty'
  | 'tags'
  | 'max_seconds',
  string
>

export const noQuestion: QuestionFields = {
  ...{ question_id: '', question: '', keywords: '', pattern: '', tools: '', sql: '' },
  ...{ category: '', difficulty: '', tags: '', max_seconds: '' },
}

export function toFields(question: Question): QuestionFields {
  const { question_id, category, difficulty, max_seconds } = question
  return {
    ...{ question_id, question: question.question },
    keywords: question.expected_keywords.join('\n'),
    pattern: question.expected_pattern ?? '',
    tools: question.expected_tools.join('\n'),
    sql: question.expected_sql ?? '',
    ...{ category: category ?? '', difficulty: difficulty ?? '' },
    ...{ tags: question.tags.join('\n'), max_seconds: String(max_seconds ?? '') },
  }
}

export function readQuestion(fields: QuestionFields): Question {
  const { question, max_seconds } = fields
  return {
    ...{ question_id: fields.question_id.trim(), question },
    expected_keywords: linesOf(fields.keywords),
    expected_pattern: textOf(fields.pattern),
    expected_tools: linesOf(fields.tools),
    expected_sql: textOf(fields.sql),
    ...{ category: textOf(fields.category), difficulty: textOf(fields.difficulty) },
    tags: linesOf(fields.tags),
    max_seconds: max_seconds.trim() === '' ? null : Number(max_seconds),
  }
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '')
}

const textOf = (text: string) => (text.trim() === '' ? null : text.trim())
