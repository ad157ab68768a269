// One client in a process of its own, so that its CPU is its own. Arguments: kind, target as JSON.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { repeat, type Spent } from '../harness.ts'
import type { CallTool, ClientKind, Connect, Order } from './contract.ts'

const kinds: Record<ClientKind, () => Promise<{ connect: Connect }>> = {
  ours: () => import('./ours.ts'),
  'sdk-v1': () => import('./sdk-v1.ts'),
  'sdk-v2': () => import('./sdk-v2.ts'),
}

const [kind, target] = process.argv.slice(2)
const { connect } = await kinds[kind as ClientKind]()
const callTool = await connect(JSON.parse(`${target}`))

process.on('disconnect', () => process.exit())
process.on('message', async (order: Order) => process.send?.(await obey(callTool, order)))
process.send?.('ready')

async function obey(call: CallTool, { tool, args, calls, atOnce, watch }: Order): Promise<Spent> {
  globalThis.gc?.()
  const delays = monitorEventLoopDelay({ resolution: 1 })
  if (watch) delays.enable()
  const cpu = process.cpuUsage()
  const start = performance.now()
  await repeat(calls, atOnce, () => call(tool, args))
  const wall = (performance.now() - start) * 1000
  const { user, system } = process.cpuUsage(cpu)
  delays.disable()
  const spent = { wall, cpu: user + system }
  return watch ? { ...spent, stall: delays.max / 1000 } : spent
}
