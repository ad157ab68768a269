import { existsSync } from 'node:fs'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { countsOf, runReported } from './reported-run.mjs'

afterEach(() => vi.unstubAllEnvs())

test('the report of a run says how often its tests tried, and where', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'report-'))
  const report = join(place.path, 'run.json')
  const run = async () => {
    await writeFile(report, '{"startTime":1,"testResults":[]}')
    return 1
  }
  const ended = await runReported({ report, counts: 'long', root: '/place', run })
  expect(ended).toEqual({ code: 1, reported: true })
  expect(JSON.parse(await readFile(report, 'utf8'))).toEqual({
    ...{ startTime: 1, testResults: [], counts: 'long', root: '/place' },
  })
})

test('where a run dies before it reports, the report of one before is not taken for its own', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'report-'))
  const report = join(place.path, 'run.json')
  await writeFile(report, '{"testResults":[]}')
  const ended = await runReported({ report, counts: 'long', root: '/', run: async () => 137 })
  expect(ended).toEqual({ code: 137, reported: false })
  expect(existsSync(report)).toBe(false)
})

test('counts are long where the run says so, or who starts it', () => {
  vi.stubEnv('DATAAGENT_TEST_LONG', undefined)
  expect([countsOf(false), countsOf(true)]).toEqual(['short', 'long'])
  vi.stubEnv('DATAAGENT_TEST_LONG', '1')
  expect(countsOf(false)).toBe('long')
})
