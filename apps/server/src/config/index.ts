export { type LoadedConfig, loadConfig, secretVariables } from './load.ts'
export type { Config } from './resolve.ts'
export type { Lang, Text } from './text.ts'
export { isLoopback } from './value-checks.ts'
