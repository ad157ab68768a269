// npm run dataagent: the program `dataagent` of this repository, on any Node from 20 on. It is
// loaded in this process where Node is new enough, else run with the Node that came with the
// packages; where nothing is set up, or something has changed since, it is made first.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isNewEnough } from './setup/node-version.mjs'
import { repository } from './setup/paths.mjs'
import { readSeal } from './setup/seal.mjs'

const main = new URL('../apps/cli/dist/main.js', import.meta.url)

const node = (existsSync(main) && readSeal(repository, 'cli')?.node) || (await setUp())
if (isNewEnough(process.version)) await import(main.href)
else {
  const { runProgram } = await import('./run-program.mjs')
  process.exitCode = await runProgram(node, [fileURLToPath(main), ...process.argv.slice(2)])
}

/** @returns {Promise<string>} the Node to run it with */
async function setUp() {
  const { setUpOrExit } = await import('./setup/set-up.mjs')
  return setUpOrExit()
}
