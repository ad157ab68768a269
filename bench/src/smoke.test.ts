import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { benchReport } from './harness/result.ts'

const runner = join(import.meta.dirname, '../../scripts/bench.mjs')
const bench = (...args: string[]) => promisify(execFile)(process.execPath, [runner, ...args])

const names = (await readdir(import.meta.dirname))
  .flatMap((file) => /^([\w-]+)\.ts$/.exec(file)?.[1] ?? [])
  .filter((name) => name !== 'harness')

test.each(names)('%s runs, and its last line is its report', { timeout: 120_000 }, async (name) => {
  const { stdout } = await bench(name, '--quick')
  const report = benchReport.parse(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? ''))
  expect(report.bench).toBe(name)
  const figures = report.results.map((result) => result.name)
  expect(new Set(figures).size).toBe(figures.length)
  const compared = report.results.filter((result) => result.baseline !== null)
  expect(compared.length).toBeGreaterThan(0)
  expect(compared.filter((result) => !figures.includes(result.baseline ?? ''))).toEqual([])
})

test('without a name it lists them all, one line each', async () => {
  const { stdout } = await bench()
  for (const name of names) expect(stdout).toMatch(new RegExp(`^ {2}${name} +\\S.*$`, 'm'))
})

test('an unknown name is refused with the known ones', async () => {
  const failed = await bench('nothing').catch((error) => error)
  expect(failed.code).toBe(2)
  expect(failed.stderr).toContain('events')
})

test('Ctrl-C ends a benchmark under way without a report', async () => {
  const main = join(import.meta.dirname, 'harness/main.ts')
  const child = spawn(process.execPath, ['--conditions=dataagent-source', main, 'events'])
  const output: string[] = []
  child.stdout.on('data', (chunk) => output.push(String(chunk)))
  await once(child.stdout, 'data')
  child.kill('SIGINT')
  const [code] = await once(child, 'exit')
  expect(code).toBe(130)
  expect(output.join('')).not.toContain('"bench"')
})
