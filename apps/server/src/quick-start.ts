import { constants, enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { resolveQuickly } from './quick-imports.ts'

/** That with this package in it, else that of the repository. */
const modules =
  /^.*\/node_modules(?=\/)/.exec(import.meta.url)?.[0] ??
  new URL('../../../node_modules', import.meta.url).href

// Compiled code is kept beside the dependencies it comes from: the next start takes half the time.
if (!keepIn(() => join(fileURLToPath(modules), '.cache/dataagent/compiled'))) {
  keepIn(() => join(homedir(), '.cache/dataagent/compiled'))
}
resolveQuickly()

/** False where it may not be written, or there is no such folder: it only takes longer then. */
function keepIn(folder: () => string): boolean {
  try {
    return enableCompileCache(folder()).status !== constants.compileCacheStatus.FAILED
  } catch {
    return false
  }
}
