export { createLangSmith } from './create-lang-smith.ts'
