import { linkSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'

/**
 * A process that exchanges, as fast as it can, what stands under three names in a workspace.
 * Started with the root and a directory outside it:
 * - `dir`: a directory, or a link to the one outside
 * - `file`: a file, or a link to the one of that name outside
 * - `hard`: a file, or a hard link to `canary.txt` outside
 * It prints `ready` and goes on until it is killed, or its parent is.
 */
const [root, outside] = process.argv.slice(2) as [string, string]

console.log('ready')
const parent = process.ppid
while (process.ppid === parent) {
  exchange('dir', (path) => symlinkSync(outside, path))
  exchange('file', (path) => symlinkSync(`${outside}/file`, path))
  exchange('hard', (path) => linkSync(`${outside}/canary.txt`, path))
}

/**
 * Takes the real thing away, lets `put` leave a link under its name for a moment, and brings it
 * back.
 */
function exchange(name: string, put: (path: string) => void): void {
  const [path, real] = [`${root}/${name}`, `${root}/${name}.real`]
  attempt(() => renameSync(path, real))
  attempt(() => put(path)) && attempt(() => unlinkSync(path))
  attempt(() => renameSync(real, path)) || attempt(() => rmSync(path, { recursive: true }))
}

/**
 * The workspace works on the same names: any step may find them otherwise than the last one left
 * them.
 */
function attempt(step: () => void): boolean {
  try {
    step()
    return true
  } catch {
    return false
  }
}
