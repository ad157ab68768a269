import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { toChart } from './chart.ts'
import { toPage } from './page.ts'
import { benchReport } from './result.ts'

/** What was measured last of each benchmark, and where. */
const benchRecord = benchReport.extend({
  description: z.string(),
  measured_on: z.iso.date(),
  node: z.string(),
  cores: z.int().positive(),
})
export type BenchRecord = z.infer<typeof benchRecord>

const recordFile = z.strictObject({ format: z.literal(1), benches: z.array(benchRecord) })

/** Puts figures in the place of older ones, and renews the page and its charts; gives the page. */
export async function saveResults(
  folder: string,
  reports: readonly Omit<BenchRecord, 'measured_on' | 'node' | 'cores'>[],
): Promise<string> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'results.json')
  const measured_on = new Date().toISOString().slice(0, 10)
  const circumstances = { measured_on, node: process.version, cores: availableParallelism() }
  const fresh = reports.map((report) => ({ ...report, ...circumstances }))
  const names = new Set(fresh.map(({ bench }) => bench))
  const kept = (await readRecord(file)).filter(({ bench }) => !names.has(bench))
  const benches = [...kept, ...fresh].sort((a, b) => (a.bench < b.bench ? -1 : 1))
  await writeFile(file, `${JSON.stringify({ format: 1, benches }, null, 2)}\n`)
  for (const record of benches) {
    const chart = toChart(record)
    if (chart !== undefined) await writeFile(join(folder, `${record.bench}.svg`), chart)
  }
  const page = join(folder, 'README.md')
  await writeFile(page, toPage(benches))
  return page
}

async function readRecord(file: string): Promise<BenchRecord[]> {
  const text = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? [] : recordFile.parse(JSON.parse(text)).benches
}
