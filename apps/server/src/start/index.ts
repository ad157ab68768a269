export { start } from './start.ts'
export { startForTerminal } from './start-for-terminal.ts'
