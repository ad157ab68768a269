import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

// Servers that take the question of the modern era in their own way: the argument says how.
const mode = process.argv[2]

if (mode === 'slow') {
  await sleep(3_000)
  await import('./test-stdio-v2.ts')
} else {
  for await (const line of createInterface({ input: process.stdin })) answer(JSON.parse(line))
}

function answer({ id, method }: { id?: number; method: string }): void {
  if (method === 'server/discover' && mode === 'dies') process.exit(3)
  if (method === 'server/discover' || id === undefined) return
  const serverInfo = { name: 'odd', version: '1' }
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo }
  const result = method === 'initialize' ? hello : { tools: [{ name: 'one' }] }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}
