export { createDataAnswers } from './data-answers.ts'
export { createExportFiles } from './export-files.ts'
export { createQuestionMatchers } from './question-matchers.ts'
