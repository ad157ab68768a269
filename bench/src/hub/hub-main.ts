// The hub and the client alone, in a process of their own. Argument: the setting as JSON.
import { createEgress } from '@dataagent/guard'
import type { CallContext } from '@dataagent/hub'
import { createHttpTransport, createMcpClient } from '@dataagent/mcp'
import { repeat, type Spent } from '../harness.ts'
import type { Order, Setting, Work } from './contract.ts'
import { startGovernedHub, tenant_id } from './governed-hub.ts'

const setting: Setting = JSON.parse(`${process.argv[2]}`)
const cleanup = new AsyncDisposableStack()
const hub = await startGovernedHub(setting, cleanup)
const client = cleanup.use(
  createMcpClient({
    transport: createHttpTransport({
      url: setting.url,
      egress: cleanup.use(createEgress({ policy: { mode: 'any' } })),
    }),
  }),
)
await client.connect()
const tool = 'checked'
const args = { text: 'x'.repeat(100) }
const known = toContext('known')
const [entry] = hub.listTools(known)
let callers = 0

function toContext(user_id: string): CallContext {
  const principal = { tenant_id, user_id, role: 'user', agent_id: 'agent' } as const
  return { principal, source: 'agent', session_id: 's1', approver: { kind: 'nobody' } }
}

function newContext(): CallContext {
  callers += 1
  return toContext(`new-${callers}`)
}

const works: Record<Work, () => Promise<unknown>> = {
  'client call': () => client.callTool(tool, args),
  async 'governed call'() {
    const outcome = await hub.callTool(known, { tool, args })
    if (outcome.status !== 'ok') throw new Error(JSON.stringify(outcome))
  },
  'list, new caller': async () => hub.listTools(newContext()),
  'list, known caller': async () => hub.listTools(known),
  'decide, new caller': async () => hub.policy.decide(newContext(), entry!),
  'decide, known caller': async () => hub.policy.decide(known, entry!),
}

process.on('disconnect', async () => {
  await cleanup.disposeAsync()
  process.exit()
})
process.on('message', async (order: Order) => process.send?.(await obey(order)))
process.send?.('ready')

/** What a call leaves behind to be stored is part of what it costs. */
async function obey({ work, count }: Order): Promise<Spent> {
  globalThis.gc?.()
  const cpu = process.cpuUsage()
  const start = performance.now()
  await repeat(count, 16, works[work])
  if (work === 'governed call') await hub.audit.flush()
  const wall = (performance.now() - start) * 1000
  const { user, system } = process.cpuUsage(cpu)
  return { wall, cpu: user + system }
}
