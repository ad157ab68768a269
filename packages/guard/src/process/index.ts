export { baseEnvironment, type Environment } from './environment.ts'
export type { ProcessExit, ProcessHandle } from './process-handle.ts'
export type { ProcessLimits, SandboxOptions } from './sandbox.ts'
export { type ProcessOptions, startProcess } from './start-process.ts'
