export type { App, Choice, Machine, Preferences } from './contract.ts'
export { startInteractive } from './start-interactive.ts'
