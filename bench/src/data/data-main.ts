// One way to read a table, in a process of its own. Argument: the setting as JSON.
import { cpuOf, familyOf, type Spent } from '../harness.ts'
import { bareReaders } from './bare-reader.ts'
import type { Order, Reader, Setting, Way } from './contract.ts'
import { openEngineReader } from './engine-reader.ts'
import { forgetPeaks, memoryOf } from './memory.ts'
import { openToolReader } from './tool-reader.ts'

const { way, table, rows }: Setting = JSON.parse(`${process.argv[2]}`)
const sql = 'SELECT id, placed_at, region, customer, quantity, amount FROM orders'
const ways: Record<Way, () => Promise<Reader>> = {
  bare: () => bareReaders[table.kind](table.at),
  engine: () => openEngineReader(table),
  tool: () => openToolReader(table),
}

const reader = await ways[way]()
await reader.read(`${sql} LIMIT 1`)
globalThis.gc?.()
const idle = await memoryOf(await familyOf(process.pid), 'now')

process.on('disconnect', async () => {
  await reader[Symbol.asyncDispose]()
  process.exit()
})
process.on('message', async (order: Order) => process.send?.(await obey(order)))
process.send?.('ready')

/** The CPU and memory of the processes that a reader has started are its own. */
async function obey({ count }: Order): Promise<Spent> {
  globalThis.gc?.()
  const family = await familyOf(process.pid)
  const children = family.slice(1)
  await forgetPeaks(family)
  const childCpu = await cpuOf(children)
  const cpu = process.cpuUsage()
  const start = performance.now()
  for (let done = 0; done < count; done += 1) await readWhole()
  await reader.flush?.()
  const wall = (performance.now() - start) * 1000
  const { user, system } = process.cpuUsage(cpu)
  const peak = await memoryOf(family, 'peak')
  return {
    wall,
    cpu: user + system + (await cpuOf(children)) - childCpu,
    // A peak, which more queries do not add to: it is the same for each of them.
    grown: Math.max(0, peak - idle) * count,
  }
}

async function readWhole(): Promise<void> {
  const given = await reader.read(sql)
  if (given !== rows) throw new Error(`${given} rows of ${rows} were given`)
}
