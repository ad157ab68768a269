export { withPlatformTools as maker } from './test-makers.ts'
