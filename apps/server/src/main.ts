import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Compiled code is kept beside the dependencies it comes from: the next start takes half the time.
enableCompileCache(
  fileURLToPath(new URL('../../../node_modules/.cache/dataagent/compiled', import.meta.url)),
)

const { start } = await import('./start/index.ts')
await start({ argv: process.argv.slice(2), env: process.env })
// Kept now, as a process that is killed has no end to do it at.
flushCompileCache()
