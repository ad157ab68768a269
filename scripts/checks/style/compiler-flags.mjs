import { matchesGlob } from 'node:path/posix'
import { isCode } from '../tree.mjs'

const flags = [
  'strict',
  'noUncheckedIndexedAccess',
  'exactOptionalPropertyTypes',
  'noImplicitOverride',
  'noFallthroughCasesInSwitch',
  'verbatimModuleSyntax',
  'erasableSyntaxOnly',
]

/**
 * The compiler is as strict as it was decided to be, and reads every source file.
 * @type {import('../findings.mjs').Check}
 */
export function checkCompilerFlags({ files }) {
  const configs = [...files.values()].filter(({ path }) => /^tsconfig[^/]*\.json$/.test(path))
  const parsed = configs.map((file) => ({ path: file.path, config: JSON.parse(file.text) }))
  return [...flagFaults(parsed), ...unreadFaults(parsed, [...files.values()])].map((fault) => ({
    ...fault,
    rule: 'compiler',
  }))
}

/**
 * @typedef {object} Config
 * @property {string} [extends]
 * @property {Record<string, unknown>} [compilerOptions]
 * @property {string[]} [include]
 * @property {string[]} [exclude]
 *
 * @typedef {{ path: string, config: Config }} ConfigFile
 */

function flagFaults(/** @type {ConfigFile[]} */ configs) {
  return configs.flatMap(({ path, config }) => {
    const isBase = config.extends === undefined
    return flags
      .filter((flag) => {
        const value = config.compilerOptions?.[flag]
        return isBase ? value !== true : value === false
      })
      .map((flag) => ({ file: path, message: `"${flag}" must be true` }))
  })
}

function unreadFaults(
  /** @type {ConfigFile[]} */ configs,
  /** @type {import('../tree.mjs').SourceFile[]} */ files,
) {
  const projects = configs.filter(({ config }) => config.include)
  return files
    .filter((file) => isCode(file) && !projects.some(({ config }) => reads(config, file.path)))
    .map(({ path }) => ({
      file: path,
      message: 'no tsconfig includes this file: no types checked',
    }))
}

function reads(/** @type {Config} */ { include = [], exclude = [] }, /** @type {string} */ path) {
  const matches = (/** @type {string} */ glob) =>
    matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`)
  return include.some(matches) && !exclude.some(matches)
}
