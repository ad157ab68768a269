export { runHeadless } from './run-headless.ts'
