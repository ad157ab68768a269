import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { npm } from '../setup/install.mjs'
import { repository } from '../setup/paths.mjs'
import { type Published, publishedPackages } from './published-packages.mjs'
import { run } from './test-run.ts'
import { linkDependencies, stageTree } from './test-staged-tree.ts'

export interface InstalledPackage {
  name: string
  dir: string
  manifest: {
    name: string
    engines?: { node?: string }
    files?: string[]
    exports?: Record<string, Record<string, string>>
    bin?: Record<string, string>
    dependencies: Record<string, string>
    peerDependencies?: Record<string, string>
    peerDependenciesMeta?: Record<string, { optional?: boolean }>
  }
}

/** The published packages, as they would be uploaded. */
export interface Release {
  published: Published[]
  tarballs: string
}

/** Builds and packs the published packages. No network. */
export async function packPackages(directory: string): Promise<Release> {
  const tree = join(directory, 'tree')
  await stageTree(tree)
  await run(process.execPath, [join(repository, 'scripts/build.mjs'), tree], directory)
  const published = await publishedPackages(tree)
  const tarballs = await pack(
    tree,
    published.map(({ dir }) => dir),
  )
  return { published, tarballs }
}

/**
 * Makes a project of a user: into its node_modules stands what the tarballs hold, beside it what
 * they declare to need, and what the user has `brought`. What they declare as a peer is not there
 * by itself.
 */
export async function installPackages(
  { published, tarballs }: Release,
  project: string,
  brought: readonly string[] = [],
): Promise<InstalledPackage[]> {
  const modules = join(project, 'node_modules')
  const installed = await Promise.all(
    published.map(({ name }) => extract(tarballs, name, join(modules, name))),
  )
  for (const { dir, manifest } of installed) await linkPrograms(modules, dir, manifest.bin ?? {})
  const needed = installed.flatMap(({ manifest }) => Object.keys(manifest.dependencies))
  await linkDependencies(modules, [...new Set([...needed, ...brought])])
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }))
  return installed
}

async function linkPrograms(modules: string, dir: string, bin: Record<string, string>) {
  await mkdir(join(modules, '.bin'), { recursive: true })
  for (const [name, file] of Object.entries(bin)) {
    await symlink(join(dir, file), join(modules, '.bin', name))
  }
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
  const named = new RegExp(`^${name.replace('@', '').replace('/', '-')}-\\d`)
  const tarball = (await readdir(tarballs)).find((file) => named.test(file))
  await mkdir(dir, { recursive: true })
  await run('tar', ['-xzf', join(tarballs, `${tarball}`), '--strip-components=1'], dir)
  return { name, dir, manifest: JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')) }
}
