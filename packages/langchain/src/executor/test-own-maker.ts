export { withOwnTools as maker } from './test-makers.ts'
