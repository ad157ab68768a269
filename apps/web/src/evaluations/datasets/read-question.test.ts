import { questionSchema } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { noQuestion, readQuestion, toFields } from './read-question.ts'

test('a question comes out of its form as it went in', () => {
  const question = questionSchema.parse({
    ...{ question_id: 'q1', question: '上月各区域销售额？', expected_keywords: ['华东', '25,310'] },
    ...{ expected_pattern: '\\d+', expected_tools: ['run_sql'], expected_sql: 'select 1' },
    ...{ category: '销售', difficulty: 'hard', tags: ['a b'], max_seconds: 2.5 },
  })
  expect(readQuestion(toFields(question))).toEqual(question)
})

test('what was left empty is not expected', () => {
  const read = readQuestion({ ...noQuestion, question_id: ' q1 ', question: 'Why?', tags: ' \n' })
  expect(read).toEqual(questionSchema.parse({ question_id: 'q1', question: 'Why?' }))
})
