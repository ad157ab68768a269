import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Compiled it is the package that people install; in the repository Node runs the sources. */
const isPackage = extname(import.meta.url) === '.js'
/** The package holds what lies in the repository beside it. */
const root = new URL(isPackage ? '.' : '../../../', import.meta.url)

/** The built browser application. */
export const webRoot = fileURLToPath(new URL(isPackage ? 'pages' : 'apps/web/dist', root))

/** The program of a sample, and what Node is told to run it. */
export function sampleProgram(name: 'clinic' | 'mall'): { file: string; nodeArgs: string[] } {
  const file = fileURLToPath(new URL(`examples/${name}/main${extname(import.meta.url)}`, root))
  return { file, nodeArgs: isPackage ? [] : ['--conditions=dataagent-source'] }
}

/** The image has the sources, but not the scripts of the repository. */
const isRepository = !isPackage && existsSync(new URL('scripts/start.mjs', root))

/** How this server is started, for people to read; flags go after it. */
export const startCommand = isRepository
  ? 'npm start --'
  : isPackage
    ? 'dataagent serve'
    : 'docker run --rm -v dataagent:/data dataagent'

/** The same of the terminal. */
export const terminalCommand = isRepository ? 'npm run dataagent --' : 'dataagent'
