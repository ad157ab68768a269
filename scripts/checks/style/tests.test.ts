import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { plantTree } from '../test-tree.ts'
import { findingsOf } from './test-style.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)
const beside = "import { run } from './run.ts'\n"

const inTest = (text: string, path = 'packages/x/src/all.test.ts') => findingsOf({ [path]: text })

describe('tests [D12.1][D12.2][D12.4]', () => {
  test('beside what they test, on vitest, with nothing replaced are fine', async () => {
    expect(
      await inTest(`import { test } from 'vitest'\n${beside}test.skipIf(x)('a', run)\n`),
    ).toEqual([])
  })

  test('beside their namesake are fine', async () => {
    expect(await inTest("import { x } from '../x.ts'\n", 'packages/x/src/run.test.ts')).toEqual([])
  })

  test('of a whole package are fine in its room for scenarios', async () => {
    const text = "import { run } from '../x.ts'\n"
    expect(await inTest(text, 'packages/x/src/scenarios/all.test.ts')).toEqual([])
  })

  test.each([
    ['another runner', `import { test } from 'node:${'test'}'\n${beside}`, 'another test runner'],
    ['a replaced module', `${beside}vi.${'mock'}('./run.ts')\n`, 'replaces a module'],
    ['a test switched off', `${beside}test.${'skip'}('a', run)\n`, 'switches tests off'],
    ['the others switched off', `${beside}describe.${'only'}('a', run)\n`, 'switches tests off'],
    ['nothing beside it', "import { run } from '../x.ts'\n", 'beside nothing'],
  ])('%s is caught', async (_what, text, message) => {
    expect(await inTest(text)).toEqual([expect.stringContaining(message)])
  })

  test('a folder of tests apart from the sources is caught', async () => {
    expect(await inTest(beside, 'packages/x/tests/run.test.ts')).toContainEqual(
      expect.stringContaining('beside nothing'),
    )
  })
})

test('an asynchronous test that fails late fails the run [D12.3]', async () => {
  await using planted = await plantTree({
    'late.test.ts': `test('late', async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(1).toBe(2)
    })`,
  })
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--root', planted.root, '--globals']
  await expect(run(process.execPath, args)).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('1 failed'),
  })
})

test('a run that covers less than 80 % of the packages, or of the core, fails [D12.5]', async () => {
  const reports = join(root, 'node_modules/.cache/dataagent/coverage-of-too-little')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--coverage', `--coverage.reportsDirectory=${reports}`]
  const little = run(process.execPath, [...args, 'packages/schema/src/secret.test.ts'], {
    cwd: root,
  })
  await expect(little).rejects.toMatchObject({
    stdout: expect.stringContaining('1 passed'),
    stderr: expect.stringMatching(/lines \([\d.]+%\) does not meet global threshold \(80%\)/),
  })
  await expect(little).rejects.toMatchObject({
    stderr: expect.stringMatching(
      /lines \([\d.]+%\) does not meet "packages\/core\/src\/\*\*" threshold \(80%\)/,
    ),
  })
  await rm(reports, { recursive: true, force: true })
}, 60_000)
