import { execFile } from 'node:child_process'
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { repository } from '../setup/paths.mjs'

const tsc = join(repository, 'node_modules/typescript/bin/tsc')
const forTests = ['**/*.test.ts', '**/test-*.ts', '**/describe-*.ts', '**/testing/**']

/**
 * Compiles one package into its dist, which is replaced as a whole: what fails leaves the old one.
 * @param {string} root
 * @param {import('./published-packages.mjs').Published} published
 */
export async function buildPackage(root, { dir }) {
  const work = join(root, '.cache/build', dir)
  await rm(work, { recursive: true, force: true })
  await mkdir(work, { recursive: true })
  const config = join(work, 'tsconfig.json')
  await writeFile(config, JSON.stringify(toConfig(root, dir, join(work, 'dist'))))
  await compile(config)
  await copyFile(join(root, 'LICENSE'), join(work, 'dist/LICENSE'))
  await rm(join(root, dir, 'dist'), { recursive: true, force: true })
  await rename(join(work, 'dist'), join(root, dir, 'dist'))
}

/**
 * Other packages are seen as their users see them: without our condition, so by their dist.
 * @type {(root: string, dir: string, outDir: string) => object}
 */
function toConfig(root, dir, outDir) {
  const source = join(root, dir, 'src')
  return {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      types: ['node'],
      customConditions: [],
      noEmit: false,
      incremental: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: source,
      outDir,
    },
    include: [source],
    exclude: forTests.map((pattern) => join(source, pattern)),
  }
}

async function compile(/** @type {string} */ config) {
  try {
    await promisify(execFile)(execPath, [tsc, '-p', config], { maxBuffer: 64 * 1024 * 1024 })
  } catch (error) {
    throw new Error(Object(error).stdout || String(error))
  }
}
