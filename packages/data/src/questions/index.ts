export {
  createQuestionMatcher,
  type QuestionMatch,
  type QuestionMatcher,
} from './question-matcher.ts'
