import { execFile } from 'node:child_process'
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { repository } from '../setup/paths.mjs'
import { completeServer } from './build-server.mjs'
import { bundleCommand } from './bundle-command.mjs'

const tsc = join(repository, 'node_modules/typescript/bin/tsc')
/** What all packages have in common, beside their dist. */
const ofEveryPackage = ['CHANGELOG.md', 'LICENSE']
const forTests = ['**/*.test.ts', '**/test-*.ts', '**/describe-*.ts', '**/testing/**']

/**
 * Makes the dist of one package, which is replaced as a whole: what fails leaves the old one.
 * @param {string} root
 * @param {Published} published
 */
export async function buildPackage(root, published) {
  const { dir } = published
  const work = join(root, '.cache/build', dir)
  const made = join(work, 'dist')
  await rm(work, { recursive: true, force: true })
  await mkdir(work, { recursive: true })
  if (dir === 'apps/cli') await bundleCommand(root, made)
  else await compile(join(work, 'tsconfig.json'), toConfig(root, published, made))
  if (dir === 'apps/server') await completeServer(root, made)
  await rm(join(root, dir, 'dist'), { recursive: true, force: true })
  await rename(made, join(root, dir, 'dist'))
  for (const file of ofEveryPackage) await copyFile(join(root, file), join(root, dir, file))
}

/** @typedef {import('./published-packages.mjs').Published} Published */

/**
 * Other packages are seen as their users see them: without our condition, so by their dist.
 * @type {(root: string, published: Published, outDir: string) => object}
 */
function toConfig(root, { dir, hasTypes }, outDir) {
  const source = join(root, dir, 'src')
  return {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      types: ['node'],
      customConditions: [],
      noEmit: false,
      incremental: false,
      declaration: hasTypes,
      rewriteRelativeImportExtensions: true,
      rootDir: source,
      outDir,
    },
    include: [source],
    exclude: forTests.map((pattern) => join(source, pattern)),
  }
}

async function compile(/** @type {string} */ file, /** @type {object} */ config) {
  await writeFile(file, JSON.stringify(config))
  try {
    await promisify(execFile)(execPath, [tsc, '-p', file], { maxBuffer: 64 * 1024 * 1024 })
  } catch (error) {
    throw new Error(Object(error).stdout || String(error))
  }
}
