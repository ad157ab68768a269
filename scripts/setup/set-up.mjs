// Runs on whatever Node is there (20 or later) before anything is installed: Node's own modules
// only.
import { join } from 'node:path'
import { buildCli, isCliBuilt, sealCli } from './cli.mjs'
import { install, isInstalled } from './install.mjs'
import { withLock } from './lock.mjs'
import { findNode } from './node.mjs'
import { repository } from './paths.mjs'
import { SetupError } from './run-step.mjs'
import { buildWeb, isWebBuilt } from './web.mjs'

/**
 * Installs what the lockfile names, builds the web page and makes the terminal's program, each only
 * where something changed since.
 * @param {string} [root]
 * @returns {Promise<string>} the Node to run everything with
 */
export async function setUp(root = repository) {
  if (isInstalled(root) && isWebBuilt(root) && isCliBuilt(root)) return seal(root, findNode(root))
  return withLock(join(root, '.cache'), async () => {
    if (!isInstalled(root)) await install(root)
    const node = findNode(root)
    if (!isWebBuilt(root)) await buildWeb(root, node)
    if (!isCliBuilt(root)) await buildCli(root, node)
    return seal(root, node)
  })
}

/**
 * @param {string} root
 * @param {string} node
 */
function seal(root, node) {
  sealCli(root, node)
  return node
}

/**
 * Sets up, and ends the process with a readable message where that fails.
 * @returns {Promise<string>}
 */
export async function setUpOrExit() {
  try {
    return await setUp()
  } catch (error) {
    const { code, path, message } = /** @type {NodeJS.ErrnoException} */ (error)
    const refused = code === 'EACCES' || code === 'EROFS' || code === 'EPERM'
    const advice = refused ? `This user may not write to ${path}.` : message
    process.stderr.write(`${error instanceof SetupError ? message : `Set-up failed. ${advice}`}\n`)
    process.exit(1)
  }
}
