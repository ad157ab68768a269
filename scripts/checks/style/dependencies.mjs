import { dependenciesOf } from '../tree.mjs'

const reasonsFile = 'docs/dependencies.md'
/** An alias, `npm:NAME@VERSION`, is as exact as the version it ends with. */
const exact = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/

/**
 * Every dependency has one exact version and a line of reason; nothing installed runs a script or
 * comes from an address.
 * @type {import('../findings.mjs').Check}
 */
export function checkDependencies(tree) {
  return [...versionFaults(tree), ...reasonFaults(tree), ...lockFaults(tree)].map((fault) => ({
    ...fault,
    rule: 'dependency',
  }))
}

/** @typedef {import('../tree.mjs').Tree} Tree */

/** Those of packages, and of folders in them that are installed by themselves. */
function declared(/** @type {Tree} */ { files }) {
  return filesNamed('package.json', files).flatMap(({ path, text }) =>
    dependenciesOf(JSON.parse(text)).map((dependency) => ({ ...dependency, file: path })),
  )
}

function filesNamed(/** @type {string} */ name, /** @type {Tree['files']} */ files) {
  return [...files.values()].filter(({ path }) => path === name || path.endsWith(`/${name}`))
}

function versionFaults(/** @type {Tree} */ tree) {
  // What a user brings may be of any version in a range.
  const all = declared(tree).filter(({ section }) => section !== 'peerDependencies')
  const inexact = all
    .filter(({ version }) => !exact.test(version))
    .map(({ file, name, version }) => ({
      file,
      message: `${name} "${version}": give one exact version`,
    }))
  const different = [...Map.groupBy(all, ({ name }) => name)]
    .map(([name, uses]) => ({ name, versions: [...new Set(uses.map(({ version }) => version))] }))
    .filter(({ versions }) => versions.length > 1)
    .map(({ name, versions }) => ({
      file: 'package.json',
      message: `${name} is declared in several versions: ${versions.join(', ')}`,
    }))
  return [...inexact, ...different]
}

function reasonFaults(/** @type {Tree} */ tree) {
  const foreign = declared(tree).filter(({ name }) => !name.startsWith('@dataagent/'))
  const names = new Set(foreign.map(({ name }) => name))
  const text = tree.files.get(reasonsFile)?.text ?? ''
  const listed = [...text.matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1] ?? '')
  const missing = [...names]
    .filter((name) => !listed.includes(name))
    .map((name) => ({ file: reasonsFile, message: `${name} has no line of reason` }))
  const stale = listed
    .filter((name) => !names.has(name))
    .map((name) => ({ file: reasonsFile, message: `${name} is no longer a dependency` }))
  return [...missing, ...stale]
}

/**
 * @typedef {object} Locked
 * @property {string} [resolved]
 * @property {boolean} [hasInstallScript]
 */

function lockFaults(/** @type {Tree} */ { files, rootPackage }) {
  const { allowScripts = {} } = rootPackage.manifest ?? {}
  return filesNamed('package-lock.json', files).flatMap(({ path: file, text }) =>
    lockedIn(text).flatMap(([path, { resolved, hasInstallScript }]) => [
      ...(hasInstallScript && !isDenied(path, allowScripts)
        ? [{ file, message: `${path} runs an install script` }]
        : []),
      ...(resolved?.includes('://') ? [{ file, message: `${path} is bound to an address` }] : []),
    ]),
  )
}

function lockedIn(/** @type {string} */ text) {
  /** @type {Record<string, Locked>} */
  const packages = JSON.parse(text).packages ?? {}
  return Object.entries(packages)
}

/** Named in the root's `allowScripts` as one whose script is not run. */
function isDenied(/** @type {string} */ path, /** @type {Record<string, boolean>} */ allowScripts) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return allowScripts[name] === false
}
