import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

/**
 * @typedef {object} SourceFile
 * @property {string} path Relative to the root, with `/`.
 * @property {string} text
 * @property {() => import('oxc-parser').ParseResult} parse Parses once, then remembers.
 *
 * @typedef {object} Manifest
 * @property {string} [name]
 * @property {string} [version]
 * @property {string} [license]
 * @property {string} [type]
 * @property {boolean} [private]
 * @property {Record<string, unknown>} [exports]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, boolean>} [allowScripts]
 *
 * @typedef {object} Package
 * @property {string} dir Relative to the root: `packages/guard`; empty for the root itself.
 * @property {string} folder The last part of `dir`.
 * @property {Manifest | undefined} manifest
 * @property {SourceFile[]} files
 *
 * @typedef {object} Tree
 * @property {string} root
 * @property {Map<string, SourceFile>} files
 * @property {Package[]} packages
 * @property {Package} rootPackage What belongs to no workspace: scripts, configuration, documents.
 */

const ignoredNames = new Set(['.git', 'node_modules', 'dist', 'coverage', '.cache'])
const packageDir = /^(?:(?:packages|apps|examples)\/[^/]+|bench)(?=\/)/
const code = /\.(?:ts|tsx|mts|mjs|js)$/

/** Reads every text file below `root` that is ours, and groups them by workspace package. */
export async function readTree(/** @type {string} */ root) {
  const paths = (await listFiles(root, '')).sort()
  const files = (await Promise.all(paths.map((path) => readSource(root, path)))).flat()
  return toTree(root, files)
}

/** Whether the file holds JavaScript or TypeScript. */
export const isCode = (/** @type {SourceFile} */ file) => code.test(file.path)

/** Whether the path is a test, or what only tests use: `test-app.ts`, `describe-kv.ts`. */
export const isTestPath = (/** @type {string} */ path) =>
  /(?:\.test\.tsx?|\/(?:test|describe)-[^/]+\.ts|\/conformance\/[^/]+\.ts)$/.test(path)

/** Whether the file only ever runs under the test runner. */
export const isTest = (/** @type {SourceFile} */ file) => isTestPath(file.path)

/** The line, from 1, of a position in the file. */
export function lineAt(/** @type {SourceFile} */ file, /** @type {number} */ offset) {
  return file.text.slice(0, offset).split('\n').length
}

/** Dependencies of every section, as [section, name, version]. */
export function dependenciesOf(/** @type {Manifest} */ manifest) {
  const sections = /** @type {const} */ ([
    'dependencies',
    'devDependencies',
    'peerDependencies',
    'optionalDependencies',
  ])
  return sections.flatMap((section) =>
    Object.entries(manifest[section] ?? {}).map(([name, version]) => ({ section, name, version })),
  )
}

/** @returns {Promise<string[]>} */
async function listFiles(/** @type {string} */ root, /** @type {string} */ dir) {
  const entries = await readdir(join(root, dir), { withFileTypes: true })
  const nested = entries
    .filter((entry) => !ignoredNames.has(entry.name))
    .map((entry) => {
      const path = dir === '' ? entry.name : `${dir}/${entry.name}`
      return entry.isDirectory() ? listFiles(root, path) : entry.isFile() ? [path] : []
    })
  return (await Promise.all(nested)).flat()
}

/** @returns {Promise<SourceFile[]>} */
async function readSource(/** @type {string} */ root, /** @type {string} */ path) {
  const text = await readFile(join(root, path), 'utf8')
  if (text.includes('\0')) return []
  /** @type {import('oxc-parser').ParseResult | undefined} */
  let parsed
  return [{ path, text, parse: () => (parsed ??= parseSync(path, text, { astType: 'ts' })) }]
}

/** @returns {Tree} */
function toTree(/** @type {string} */ root, /** @type {SourceFile[]} */ files) {
  const byDir = Map.groupBy(files, (file) => packageDir.exec(file.path)?.[0] ?? '')
  const all = [...byDir].map(([dir, own]) => toPackage(dir, own))
  const rootPackage = all.find((pkg) => pkg.dir === '') ?? toPackage('', [])
  return {
    root,
    files: new Map(files.map((file) => [file.path, file])),
    packages: all.filter((pkg) => pkg !== rootPackage),
    rootPackage,
  }
}

/** @returns {Package} */
function toPackage(/** @type {string} */ dir, /** @type {SourceFile[]} */ files) {
  const path = dir === '' ? 'package.json' : `${dir}/package.json`
  const manifest = files.find((file) => file.path === path)
  return {
    dir,
    folder: dir.slice(dir.lastIndexOf('/') + 1),
    manifest: manifest && JSON.parse(manifest.text),
    files,
  }
}
