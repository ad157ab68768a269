export { classify } from './classify.ts'
export { type VerifiedAnswer, verifyAnswer } from './verify-answer.ts'
