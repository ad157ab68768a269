import './quick-start.ts'
import { flushCompileCache } from 'node:module'

const { start } = await import('./start/index.ts')
await start({ argv: process.argv.slice(2), env: process.env })
// Kept now, as a process that is killed has no end to do it at.
flushCompileCache()
