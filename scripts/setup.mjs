// Runs on whatever Node is there (20 or later) before anything is installed: no imports but Node's
// own.
import { pathToFileURL } from 'node:url'
import { buildWebIfChanged } from './setup/build-web.mjs'
import { installIfChanged } from './setup/install.mjs'
import { withLock } from './setup/lock.mjs'
import { findNode } from './setup/node.mjs'

/**
 * Installs what the lockfile names and builds the web page, each only where something changed
 * since.
 * @returns {Promise<string>} the Node to run everything with
 */
export function setUp() {
  return withLock(async () => {
    await installIfChanged()
    const node = findNode()
    await buildWebIfChanged(node)
    return node
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await setUp()
