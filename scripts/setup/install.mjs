import { existsSync } from 'node:fs'
import { root, stamps } from './paths.mjs'
import { runStep } from './run.mjs'
import { hashOf, isStamped, stamp } from './stamp.mjs'

/** Installs the packages of the lockfile, unless just those are there. */
export async function installIfChanged() {
  const hash = hashOf(['package-lock.json', '.npmrc'])
  if (existsSync(stamps) && isStamped('install', hash)) return
  const { command, args } = npm()
  await runStep('Installing packages (once, about half a minute)', {
    command,
    args: [...args, 'ci', '--loglevel=error', '--no-progress'],
    advice: `It needs the npm registry once: check the network or npm's proxy settings, then try again. Folder: ${root}`,
  })
  stamp('install', hash)
}

/** The npm that started us, run by the Node that runs it; else the one on the PATH. */
function npm() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env
  if (cli?.endsWith('.js') && node) return { command: node, args: [cli] }
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args: [] }
}
