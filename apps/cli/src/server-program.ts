import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Whether this is the repository: the package that is published has no sources. */
export const isRepository = existsSync(new URL('../src', import.meta.url))

/** A program of the platform, and what Node is told to run it. */
export function serverProgram(name: 'main' | 'terminal'): { file: string; nodeArgs: string[] } {
  if (!isRepository) {
    return { file: fileURLToPath(import.meta.resolve(`@dataagent/server/${name}`)), nodeArgs: [] }
  }
  const source = new URL(`../../server/src/${name}.ts`, import.meta.url)
  return { file: fileURLToPath(source), nodeArgs: ['--conditions=dataagent-source'] }
}
