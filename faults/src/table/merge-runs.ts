import { relative } from 'node:path'
import { type CarryingTest, idsIn, type TestRun } from './carried.ts'

/**
 * The carrying tests of all runs, each as the last run that ran it found it. A file that a later
 * run had takes the place of the earlier one: titles that are gone from it are not kept.
 */
export function mergeRuns(runs: readonly TestRun[], root: string): CarryingTest[] {
  const byFile = new Map<string, CarryingTest[]>()
  for (const run of runs) {
    for (const [file, later] of testsByFile(run, root)) {
      byFile.set(file, mergeFile(byFile.get(file) ?? [], later))
    }
  }
  return [...byFile.values()].flat()
}

function testsByFile(run: TestRun, root: string): [string, CarryingTest[]][] {
  const { startTime, counts, testResults } = run
  const day = new Date(startTime ?? Date.now()).toISOString().slice(0, 10)
  // A file that could not be loaded tells nothing of its tests.
  const loaded = testResults.filter(({ assertionResults }) => assertionResults.length > 0)
  return loaded.map(({ name, assertionResults }) => {
    const file = relative(run.root ?? root, name)
    if (file.startsWith('..')) throw new Error(`${name} is not below ${run.root ?? root}`)
    const tests = assertionResults.map(({ fullName, status }) => ({
      ...{ title: fullName, file, status, origin: { day, counts } },
    }))
    return [file, tests.filter(({ title }) => idsIn(title).length > 0)]
  })
}

/** What a later run was told to leave out stays as it was, also with another count in its title. */
function mergeFile(
  earlier: readonly CarryingTest[],
  later: readonly CarryingTest[],
): CarryingTest[] {
  const leftOut = later.filter((test) => !hasRun(test))
  const shapes = new Set(leftOut.map(toShape))
  const titles = new Map(later.map((test) => [test.title, test]))
  const kept = earlier.filter((test) => {
    const same = titles.get(test.title)
    return same === undefined ? shapes.has(toShape(test)) : !hasRun(same)
  })
  const keptShapes = new Set(kept.map(toShape))
  return [...kept, ...later.filter((test) => hasRun(test) || !keptShapes.has(toShape(test)))]
}

const hasRun = ({ status }: CarryingTest) => status === 'passed' || status === 'failed'

const toShape = ({ title }: CarryingTest) => title.replace(/\d[\d,.]*/g, '#')
