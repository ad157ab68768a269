import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryDirectory } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BenchReport, benchReport } from './harness/result.ts'

const runner = join(import.meta.dirname, '../../scripts/bench.mjs')
const bench = (...args: string[]) => promisify(execFile)(process.execPath, [runner, ...args])

const names = (await readdir(import.meta.dirname))
  .flatMap((file) => /^([\w-]+)\.ts$/.exec(file)?.[1] ?? [])
  .filter((name) => name !== 'harness')

describe('all of them, in one run', () => {
  let told = ''
  let saved: Awaited<ReturnType<typeof temporaryDirectory>>
  let reports: BenchReport[] = []
  beforeAll(async () => {
    saved = await temporaryDirectory()
    told = (await bench('--quick', '--save', '--to', saved.path)).stdout
    reports = JSON.parse(await readFile(join(saved.path, 'results.json'), 'utf8')).benches
  }, 400_000)
  afterAll(() => saved[Symbol.asyncDispose]())

  test.each(names)('%s runs, and compares what it has measured', (name) => {
    const report = reports.find((one) => one.bench === name)
    const figures = report?.results.map((result) => result.name) ?? []
    expect(new Set(figures).size).toBe(figures.length)
    const compared = report?.results.filter((result) => result.baseline !== null) ?? []
    expect(compared.length).toBeGreaterThan(0)
    expect(compared.filter((result) => !figures.includes(result.baseline ?? ''))).toEqual([])
  })

  test('end in one table of every ratio, a page and a chart of each', async () => {
    const table = told.slice(told.lastIndexOf('compared with'))
    const page = await readFile(join(saved.path, 'README.md'), 'utf8')
    for (const name of names) {
      expect(table).toMatch(new RegExp(`^${name} .* × .* [\\d.]+`, 'm'))
      expect(page).toContain(`](${name}.svg)`)
      expect(await readFile(join(saved.path, `${name}.svg`), 'utf8')).toMatch(
        /^<svg[\s\S]*<\/svg>\n$/,
      )
    }
  })
})

test('one alone ends with its report as its last line', async () => {
  const { stdout } = await bench('events', '--quick')
  const report = benchReport.parse(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? ''))
  expect(report.bench).toBe('events')
})

test('they can be listed, one line each', async () => {
  const { stdout } = await bench('--list')
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
