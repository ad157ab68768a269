export { formatOf, type QuestionFormat } from './format.ts'
export { type ParseOptions, parseQuestions } from './parse-questions.ts'
export { toPromptfoo } from './to-promptfoo.ts'
