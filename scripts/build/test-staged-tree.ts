import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { isTestPath } from '../checks/tree.mjs'
import { repository } from '../setup/paths.mjs'

const dependencies = join(repository, 'node_modules')
const skipped = /[\\/](?:node_modules|dist|conformance)$/

/** The packages, and what those that are programs hold of others. */
const copied = ['packages', 'apps/server', 'apps/cli', 'examples/mall', 'examples/clinic']

/** Copies them to `root`, so that their dist is made there and not in the repository. */
export async function stageTree(root: string): Promise<void> {
  for (const file of ['tsconfig.base.json', 'CHANGELOG.md', 'LICENSE']) {
    await cp(join(repository, file), join(root, file))
  }
  const filter = (path: string) => !skipped.test(path) && !isTestPath(path)
  for (const dir of copied) {
    await cp(join(repository, dir), join(root, dir), { recursive: true, filter })
  }
  await cp(join(repository, 'apps/web/dist'), join(root, 'apps/web/dist'), { recursive: true })
  await cp(join(repository, 'apps/web/package.json'), join(root, 'apps/web/package.json'))
  await linkDependencies(join(root, 'node_modules'), await readdir(dependencies))
  for (const folder of await readdir(join(root, 'packages'))) {
    await link(join(root, 'packages', folder), join(root, 'node_modules/@dataagent', folder))
  }
  await link(join(root, 'apps/server'), join(root, 'node_modules/@dataagent/server'))
}

/** Links packages of the repository's node_modules into another. Ours are left out. */
export async function linkDependencies(target: string, names: string[]): Promise<void> {
  const foreign = names.filter((name) => !/^(?:@?dataagent\b|\.)/.test(name))
  await Promise.all(foreign.map((name) => link(join(dependencies, name), join(target, name))))
}

async function link(from: string, to: string): Promise<void> {
  await mkdir(join(to, '..'), { recursive: true })
  await symlink(from, to, 'junction')
}
