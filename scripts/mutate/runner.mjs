import { readdirSync, rmSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createVitest } from 'vitest/node'
import { withMutant } from './mutants.mjs'
import { toMarked } from './reach.mjs'

/**
 * @typedef {import('./mutants.mjs').Mutant} Mutant
 * @typedef {'killed' | 'timed out' | 'survived' | 'not reached'} Fate
 *
 * Runs tests with one change in the sources. The files are never written: vite is given the changed
 * text. A process that a test starts loads the file itself, so there nothing is changed.
 * @typedef {object} Runner
 * @property {(mutant: Mutant) => Promise<Fate>} run
 * @property {() => Promise<void>} close
 */

const teller = fileURLToPath(new URL('./tell-process.ts', import.meta.url))
const recorder = fileURLToPath(new URL('./record-reach.ts', import.meta.url))

/**
 * Runs the tests once as they are, to learn which of them reach which mutant and how long they
 * take. Throws where one of them fails already.
 * @param {object} options
 * @param {string} options.root
 * @param {string[]} options.tests paths, or the beginnings of such
 * @param {Mutant[]} options.mutants
 * @returns {Promise<Runner>}
 */
export async function createRunner({ root, tests, mutants }) {
  const reach = await measureReach({ root, tests, mutants })
  const folder = await mkdtemp(join(tmpdir(), 'dataagent-mutants-'))
  /** @type {Mutant | undefined} */
  let current
  const vitest = await openVitest(root, {
    overrides: {
      bail: 1,
      maxWorkers: 1,
      testTimeout: reach.slowest,
      provide: { processFolder: folder },
    },
    setupFiles: [teller],
    change: (file, source) => (current?.file === file ? withMutant(source, current) : source),
  })

  /** @type {(files: string[]) => Promise<Fate>} */
  async function judge(files) {
    const specifications = files.flatMap((file) => vitest.getModuleSpecifications(file))
    const usual = files.reduce((sum, file) => sum + (reach.durations.get(file) ?? 0), 0)
    let isLate = false
    const timer = setTimeout(
      () => {
        isLate = true
        endProcesses(folder)
      },
      reach.slowest + 4 * usual,
    )
    const failed = hasFailed(await vitest.runTestSpecifications(specifications))
    clearTimeout(timer)
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    return isLate ? 'timed out' : failed ? 'killed' : 'survived'
  }

  return {
    async run(mutant) {
      const files = reach.testsOf(mutant)
      if (files.length === 0) return 'not reached'
      current = mutant
      vitest.invalidateFile(join(root, mutant.file))
      return await judge(files)
    },
    async close() {
      await vitest.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Ends the test processes that told of themselves. One that a change keeps busy for ever would not
 * end when asked.
 * @param {string} folder
 */
function endProcesses(folder) {
  for (const pid of readdirSync(folder)) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

/**
 * @param {Parameters<typeof createRunner>[0]} options
 */
async function measureReach({ root, tests, mutants }) {
  const folder = await mkdtemp(join(tmpdir(), 'dataagent-reach-'))
  const numbered = mutants.map((mutant, id) => ({ id, mutant }))
  const byFile = Map.groupBy(numbered, ({ mutant }) => mutant.file)
  const vitest = await openVitest(root, {
    overrides: { isolate: true, provide: { reachFolder: folder } },
    setupFiles: [recorder],
    change: (file, source) => toMarked(source, byFile.get(file) ?? []),
  })
  try {
    const chosen = await vitest.globTestSpecifications(tests)
    const result = await vitest.runTestSpecifications(chosen)
    const failed = result.testModules.filter((module) => module.state() === 'failed')
    const names = failed.map(({ moduleId }) => moduleId.slice(root.length))
    if (hasFailed(result)) throw new Error(`Without any change, these fail: ${names.join(', ')}`)
    const durations = new Map(
      result.testModules.map((module) => [module.moduleId, module.diagnostic().duration]),
    )
    const slowest = Math.max(8000, ...[...durations.values()].map((ms) => 4 * ms))
    return { durations, slowest, testsOf: await readReach(folder, mutants, durations) }
  } finally {
    await vitest.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string} folder
 * @param {Mutant[]} mutants
 * @param {ReadonlyMap<string, number>} durations
 * @returns {Promise<(mutant: Mutant) => string[]>} the quickest test file first
 */
async function readReach(folder, mutants, durations) {
  const names = await readdir(folder)
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const reached = texts.map((text) => {
    const { testPath, ids } = JSON.parse(text)
    return { path: String(testPath), ids: new Set(ids) }
  })
  reached.sort((a, b) => (durations.get(a.path) ?? 0) - (durations.get(b.path) ?? 0))
  return (mutant) => {
    const id = mutants.indexOf(mutant)
    return reached.filter(({ ids }) => ids.has(id)).map(({ path }) => path)
  }
}

/**
 * The test runner of a tree, quiet, with its sources changed on their way in.
 * @param {string} root
 * @param {object} options
 * @param {import('vitest/node').CliOptions} options.overrides
 * @param {string[]} [options.setupFiles]
 * @param {(file: string, source: string) => string} options.change
 */
async function openVitest(root, { overrides, setupFiles = [], change }) {
  const { default: config } = await import(pathToFileURL(join(root, 'vitest.config.ts')).href)
  const { projects = [{}], ...shared } = config.test
  const plugin = {
    name: 'dataagent-mutant',
    enforce: /** @type {const} */ ('pre'),
    /** @type {(source: string, id: string) => string | undefined} */
    transform: (source, id) =>
      id.startsWith(root) ? change(id.slice(root.length), source) : undefined,
  }
  const test = {
    ...shared,
    setupFiles: [...setupFiles, ...(shared.setupFiles ?? [])],
    expect: { poll: { timeout: 5000 } },
    projects: projects.map((/** @type {Record<string, unknown>} */ project) => ({
      ...project,
      extends: true,
    })),
  }
  const vitest = await createVitest(
    {
      root,
      config: false,
      watch: false,
      run: true,
      silent: true,
      // It would hand the changed text on to runs without the change.
      fsModuleCache: false,
      reporters: [{}],
      ...overrides,
    },
    { ...config, plugins: [plugin], test },
  )
  await vitest.standalone()
  await vitest.globTestSpecifications()
  return vitest
}

/** @param {import('vitest/node').TestRunResult} result */
function hasFailed({ testModules, unhandledErrors }) {
  return unhandledErrors.length > 0 || testModules.some((module) => module.state() === 'failed')
}
