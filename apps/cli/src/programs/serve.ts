import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { exitCodes } from '../args/index.ts'
import { isRepository, serverProgram } from '../server-program.ts'
import type { Program } from './contract.ts'

/**
 * `dataagent serve`: the platform. In the repository it does what `npm start` does: it sets up what
 * is missing and runs the platform as a child of this terminal, passing on signals; its exit code
 * is ours. Where it is installed, this process becomes the platform.
 */
export const serve: Program = async ({ rest }, { options, env, packageDir, stderr }) => {
  // They speak to the terminal; the platform would say that it does not know them.
  for (const name of ['DATAAGENT_SERVER', 'DATAAGENT_API_KEY']) delete env[name]
  const said = [
    ...(options.dataDir === undefined ? [] : ['--data-dir', options.dataDir]),
    ...(options.lang === undefined ? [] : ['--lang', options.lang]),
  ]
  const words = [...said, ...rest]
  if (isRepository) await become(resolve(packageDir, '../../scripts/start.mjs'), words)
  else {
    // It goes on where nobody reads what it says.
    stderr.removeAllListeners('error')
    await become(serverProgram('main').file, words)
  }
  return Number(process.exitCode ?? exitCodes.ok)
}

/** Its workers are processes of the program that it finds itself to be. */
async function become(program: string, words: readonly string[]): Promise<void> {
  process.argv.splice(1, process.argv.length, program, ...words)
  await import(pathToFileURL(program).href)
}
