import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ServerConfigInput } from '@dataagent/schema'
import { firstLine } from '@dataagent/testkit'

/** Servers of the official SDKs, by transport and version: of the older era and of the newer. */
export const oracles = ['stdio v1', 'stdio v2', 'http v1', 'http v2', 'sse v1'] as const
export type OracleKind = (typeof oracles)[number]

/** Whether what the server asks can be told apart by call. */
export function tellsCalls(kind: OracleKind): boolean {
  return kind.endsWith('v2') || kind.startsWith('http')
}

/** It must answer within 2 s to count as one of the newer era, on a busy machine too. */
const { NODE_COMPILE_CACHE } = process.env
const env = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }

export interface Oracle extends AsyncDisposable {
  config: ServerConfigInput
}

/** A server in a process of its own; one over stdio is started by whoever connects. */
export async function startOracle(kind: OracleKind, name = 'oracle'): Promise<Oracle> {
  const [transport, sdk = ''] = kind.split(' ')
  const command = process.execPath
  if (transport === 'stdio') {
    const args = ['--conditions=dataagent-source', pathOf(`test-stdio-${sdk}.ts`)]
    return { config: { name, transport, command, args, env }, async [Symbol.asyncDispose]() {} }
  }
  const mode = transport === 'sse' ? 'sse' : sdk
  const args = ['--conditions=dataagent-source', pathOf('test-http-process.ts'), mode]
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const url = await firstLine(child)
  return {
    config: { name, transport: transport as 'http' | 'sse', url },
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../../../mcp/src/client/oracle/${file}`, import.meta.url))
}
