import type { Program } from './contract.ts'

export type { Program, ProgramCall, ProgramContext } from './contract.ts'
export { toSafeJson } from './safe-json.ts'
export { listenForStops, type Stops } from './stops.ts'

/** By the name of the command. Each is loaded when it is called. */
export const programs: Readonly<Record<string, Program>> = {
  completions: async (call, context) =>
    (await import('./completions/run-completions.ts')).runCompletions(call, context),
  doctor: async (call, context) => (await import('./doctor.ts')).doctor(call, context),
  harbor: async (call, context) =>
    (await import('./harbor/run-harbor.ts')).runHarbor(call, context),
  init: async (call, context) => (await import('./init/run-init.ts')).runInit(call, context),
  mcp: async (call, context) => (await import('./mcp/run-mcp.ts')).runMcp(call, context),
  'mcp-data': async (call, context) =>
    (await import('./mcp-data/run-mcp-data.ts')).runMcpData(call, context),
  serve: async (call, context) => (await import('./serve.ts')).serve(call, context),
  sessions: async (call, context) =>
    (await import('./sessions/run-sessions.ts')).runSessions(call, context),
}
