import './quick-start.ts'
import { flushCompileCache } from 'node:module'

// The platform of one terminal, which starts this program with a channel to it.
const { startForTerminal } = await import('./start/index.ts')
await startForTerminal({ argv: process.argv.slice(2), env: process.env, channel: process })
// Kept now, as a process that is killed has no end to do it at.
flushCompileCache()
