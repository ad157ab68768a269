import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Source and build differ in the suffix alone. */
const ending = extname(import.meta.url)

/** What a runner is started from. */
export const runnerFile = fileURLToPath(new URL(`../child/runner-main${ending}`, import.meta.url))

/** What a runner in a sandbox must see: this folder, and where DuckDB is installed. */
export function runnerFolders(): string[] {
  const require = createRequire(import.meta.url)
  const own = [dirname(dirname(runnerFile))]
  return [...own, ...packageFolder(require, '@duckdb/node-api')]
}

/** The folder of all packages of that scope, in the node_modules that has it. */
function packageFolder(require: NodeJS.Require, name: string): string[] {
  const [scope = ''] = name.split('/')
  const found = require.resolve(name)
  const inside = `${join('node_modules', scope)}${join('/', name.slice(scope.length + 1))}`
  const at = found.lastIndexOf(inside)
  return at === -1 ? [dirname(found)] : [found.slice(0, at + join('node_modules', scope).length)]
}
