export { completeCommands, findCommand, runCommand } from './registry.ts'
