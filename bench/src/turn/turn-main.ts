// One engine in a process of its own. Argument: the setting as JSON.
import { repeat, type Spent } from '../harness.ts'
import { createAiEngine } from './ai.ts'
import { createBareEngine } from './bare.ts'
import type { EngineName, Order, Setting, TurnEngine } from './contract.ts'
import { createLangChainEngine } from './langchain.ts'
import { createOurEngine } from './ours.ts'

const engines: Record<EngineName, (setting: Setting) => Promise<TurnEngine>> = {
  'bare loop on openai': createBareEngine,
  ours: createOurEngine,
  ai: createAiEngine,
  langchain: createLangChainEngine,
}

const setting: Setting = JSON.parse(`${process.argv[2]}`)
const engine = await engines[setting.engine](setting)
/** Sessions that nobody talks in: a session takes one turn at a time. */
const free = Array.from({ length: setting.sessions }, (_, i) => i)

process.on('disconnect', async () => {
  await engine.close?.()
  process.exit()
})
process.on('message', async (order: Order) => process.send?.(await obey(order)))
process.send?.('ready')

async function obey({ count, atOnce }: Order): Promise<Spent> {
  globalThis.gc?.()
  const cpu = process.cpuUsage()
  const start = performance.now()
  await repeat(count, Math.min(atOnce, free.length), async () => {
    const session = free.shift()!
    await engine.turn(session)
    free.push(session)
  })
  const wall = (performance.now() - start) * 1000
  const { user, system } = process.cpuUsage(cpu)
  return { wall, cpu: user + system }
}
