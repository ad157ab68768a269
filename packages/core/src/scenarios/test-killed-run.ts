import { enableCompileCache, flushCompileCache } from 'node:module'
import { readJson } from '@dataagent/schema'
import type { KilledRun } from './test-kill-scene.ts'

// A process of its own for tests: it runs a turn, and kills itself where its argument says. What it
// compiles serves those after it: most of the time of such a short life is spent on that.

const killed = readJson(process.argv[2] ?? '') as unknown as KilledRun
enableCompileCache(killed.cache)
const { runAndDie } = await import('./test-run-and-die.ts')
flushCompileCache()
await runAndDie(killed)
process.exit()
