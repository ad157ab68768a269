export { createDataAnswers } from './data-answers.ts'
export { createQuestionMatchers } from './question-matchers.ts'
