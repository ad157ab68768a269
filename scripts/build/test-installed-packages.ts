import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { npm } from '../setup/install.mjs'
import { repository } from '../setup/paths.mjs'
import { publishedPackages } from './published-packages.mjs'
import { run } from './test-run.ts'
import { linkDependencies, stageTree } from './test-staged-tree.ts'

export interface InstalledPackage {
  name: string
  dir: string
  manifest: { exports: Record<string, Record<string, string>>; dependencies: object }
}

/**
 * Builds, packs and installs the published packages as their users would: into
 * `<directory>/app/node_modules` stands what the tarballs hold, and beside it what they declare to
 * need. No network.
 */
export async function installPackages(directory: string): Promise<InstalledPackage[]> {
  const tree = join(directory, 'tree')
  await stageTree(tree)
  await run(process.execPath, [join(repository, 'scripts/build.mjs'), tree], directory)
  const published = await publishedPackages(tree)
  const tarballs = await pack(
    tree,
    published.map(({ dir }) => dir),
  )
  const modules = join(directory, 'app/node_modules')
  const installed = await Promise.all(
    published.map(({ name }) => extract(tarballs, name, join(modules, name))),
  )
  const needed = installed.flatMap(({ manifest }) => Object.keys(manifest.dependencies))
  await linkDependencies(modules, [...new Set(needed)])
  return installed
}

async function pack(tree: string, dirs: string[]): Promise<string> {
  const tarballs = join(tree, 'tarballs')
  await mkdir(tarballs)
  const { command, args } = npm()
  const options = ['--offline', '--ignore-scripts', '--loglevel=error']
  const packages = dirs.map((dir) => `./${dir}`)
  await run(
    command,
    [...args, 'pack', ...options, '--pack-destination', tarballs, ...packages],
    tree,
  )
  return tarballs
}

async function extract(tarballs: string, name: string, dir: string): Promise<InstalledPackage> {
  const prefix = `${name.replace('@', '').replace('/', '-')}-`
  const tarball = (await readdir(tarballs)).find((file) => file.startsWith(prefix))
  await mkdir(dir, { recursive: true })
  await run('tar', ['-xzf', join(tarballs, `${tarball}`), '--strip-components=1'], dir)
  return { name, dir, manifest: JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')) }
}
