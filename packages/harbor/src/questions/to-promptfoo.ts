import type { Question } from '@dataagent/schema'
import { stringify } from 'yaml'
import type { QuestionSet } from '../contract.ts'

/**
 * The set as a promptfoo configuration, which `parseQuestions` reads back unchanged. What promptfoo
 * has no assertion for is in `metadata`; its `providers` are for its user to add.
 */
export function toPromptfoo({ name, questions }: QuestionSet): string {
  const config = { description: name, prompts: ['{{question}}'], tests: questions.map(toTest) }
  return stringify(config, { lineWidth: 0, aliasDuplicateObjects: false })
}

function toTest(question: Question) {
  const { question_id, category, difficulty, tags, expected_sql } = question
  const asserts = toAsserts(question)
  return {
    vars: { question: question.question },
    ...(asserts.length > 0 && { assert: asserts }),
    metadata: {
      question_id,
      ...(category !== null && { category }),
      ...(difficulty !== null && { difficulty }),
      ...(tags.length > 0 && { tags }),
      ...(expected_sql !== null && { expected_sql }),
    },
  }
}

function toAsserts(question: Question): object[] {
  const { expected_keywords, expected_pattern, expected_tools, max_seconds } = question
  return [
    ...(expected_keywords.length > 0 ? [{ type: 'icontains-all', value: expected_keywords }] : []),
    ...(expected_pattern !== null ? [{ type: 'regex', value: expected_pattern }] : []),
    ...(expected_tools.length > 0 ? [{ type: 'trajectory:tool-used', value: expected_tools }] : []),
    ...(max_seconds !== null ? [{ type: 'latency', threshold: max_seconds * 1000 }] : []),
  ]
}
