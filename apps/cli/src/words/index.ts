export { type Lang, langOf, type Text } from './lang.ts'
