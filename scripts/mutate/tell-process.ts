import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    processFolder: string
  }
}

// Set up for every test file that runs with a change: names the process, to be ended if it has to.
writeFileSync(join(inject('processFolder'), String(process.pid)), '')
