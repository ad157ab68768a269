import { runStep } from './run-step.mjs'
import { hashOf, isStamped, stamp } from './stamp.mjs'

/** @param {string} root */
const lockfile = (root) => hashOf(root, ['package-lock.json', '.npmrc'])

/**
 * Whether just the packages of the lockfile are there.
 * @param {string} root
 */
export function isInstalled(root) {
  return isStamped(root, 'install', lockfile(root))
}

/**
 * Installs the packages of the lockfile: the tools too, whatever NODE_ENV says.
 * @param {string} root
 */
export async function install(root) {
  const { command, args } = npm()
  await runStep(root, {
    title: 'Installing packages (once, about half a minute)',
    command,
    args: [...args, 'ci', '--include=dev', '--include=optional', '--loglevel=error'],
    advice:
      'It needs the npm registry once, and a folder that it may write to: ' +
      "check the network, npm's proxy settings and the folder, then try again.",
  })
  stamp(root, 'install', lockfile(root))
}

/** The npm that started us, run by the Node that runs it; else the one on the PATH. */
export function npm() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env
  if (cli?.endsWith('.js') && node) return { command: node, args: [cli] }
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args: [] }
}
