import { join } from 'node:path'
import { longCount } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { toLines } from './checkpointer/report.mjs'
import { repository, runTool } from './checks/test-tools.ts'

const checkpointer = (...words: string[]) =>
  runTool('node', [join(import.meta.dirname, 'checkpointer.mjs'), ...words], repository)

const databases = ['sqlite', 'mysql', 'postgres'].slice(0, longCount(1, 3))

test("LangGraph's own suite passes on the checkpointer", { timeout: 900_000 }, async () => {
  const { code, output } = await checkpointer(...databases)
  for (const database of databases) {
    expect(output).toMatch(new RegExp(`^${database}: (\\d{3,}) of \\1 tests pass$`, 'm'))
  }
  expect(code).toBe(0)
})

test('a database that there is not is refused', async () => {
  expect(await checkpointer('oracle')).toEqual({
    code: 2,
    output: 'There is no database oracle: sqlite, mysql, postgres\n',
  })
})

describe('judging', () => {
  const ran = (database: string, status: string) => ({
    ancestorTitles: [`checkpointer on ${database}`, 'put'],
    title: 'stores',
    status,
    failureMessages: status === 'failed' ? ['why'] : [],
  })

  test('what fails, what was skipped and what never ran are faults', () => {
    const tests = [ran('sqlite', 'passed'), ran('sqlite', 'failed'), ran('mysql', 'pending')]
    expect(toLines(tests, ['sqlite', 'mysql', 'postgres'])).toEqual({
      lines: [
        'sqlite: 1 of 2 tests pass',
        'mysql: 0 of 1 tests pass',
        'postgres: 0 of 0 tests pass',
      ],
      faults: [
        'checkpointer on sqlite › put › stores\n  why\n  failed',
        'checkpointer on mysql › put › stores\n  pending',
        'postgres: no test ran',
      ],
    })
  })

  test('a database that was not asked for is not judged', () => {
    const tests = [ran('sqlite', 'passed'), ran('mysql', 'pending')]
    expect(toLines(tests, ['sqlite'])).toEqual({ lines: ['sqlite: 1 of 1 tests pass'], faults: [] })
  })
})
