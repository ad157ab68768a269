import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    reachFolder: string
  }
}

// Set up for every test file while it is measured which mutants it reaches; the file has its
// process for itself.
const reached = new Set<number>()
Object.assign(globalThis, { dataagentReached: (id: number) => reached.add(id) })

afterAll(() => {
  const { testPath } = expect.getState()
  const name = `${encodeURIComponent(testPath ?? '')}.json`.slice(-250)
  writeFileSync(join(inject('reachFolder'), name), JSON.stringify({ testPath, ids: [...reached] }))
})
