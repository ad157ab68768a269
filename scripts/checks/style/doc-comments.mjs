import { dirname, join } from 'node:path/posix'
import { lineAt } from '../tree.mjs'

/**
 * @typedef {import('../tree.mjs').SourceFile} SourceFile
 * @typedef {import('../tree.mjs').Package} Package
 * @typedef {import('../tree.mjs').Tree} Tree
 * @typedef {import('../findings.mjs').Finding} Finding
 * @typedef {import('oxc-parser').Statement | import('oxc-parser').Directive} Statement
 * @typedef {{ file: SourceFile, statement: Statement }} Declared
 */

/**
 * Every function and class that a published package exports has a doc comment, and its entry
 * points list their names one by one.
 * @type {import('../findings.mjs').Check}
 */
export function checkDocComments(tree) {
  return tree.packages
    .filter(({ manifest }) => manifest && !manifest.private)
    .flatMap((pkg) => entryPoints(pkg).flatMap((path) => entryFaults(tree, path)))
}

/** The source files that the `exports` of a package lead to. */
function entryPoints(/** @type {Package} */ { dir, manifest = {} }) {
  return Object.values(manifest.exports ?? {}).flatMap((target) => {
    const source = Object(target)['dataagent-source']
    return typeof source === 'string' ? [join(dir, source)] : []
  })
}

/** @returns {Finding[]} */
function entryFaults(/** @type {Tree} */ tree, /** @type {string} */ path) {
  const entry = tree.files.get(path)
  if (!entry)
    return [{ file: path, rule: 'doc', message: 'package.json exports it: it is missing' }]
  return exportedNames(entry).flatMap(({ name, line }) => {
    if (name === '*')
      return [{ file: path, line, rule: 'doc', message: 'list the names one by one' }]
    const declared = findDeclaration(tree, entry, name)
    if (!declared || !isCallable(declared.statement, name) || hasDocComment(declared)) return []
    const message = `${name} is public (${path}) and has no doc comment`
    const { file, statement } = declared
    return [{ file: file.path, line: lineAt(file, statement.start), rule: 'doc', message }]
  })
}

/** Names of values, not types, that a file exports; `*` for `export *`. */
function exportedNames(/** @type {SourceFile} */ file) {
  return file
    .parse()
    .module.staticExports.flatMap(({ entries }) => entries)
    .filter((entry) => !entry.isType)
    .map((entry) => ({ name: entry.exportName.name ?? '*', line: lineAt(file, entry.start) }))
}

/**
 * The statement that declares an exported name, followed through re-exports inside the package.
 * @returns {Declared | undefined}
 */
function findDeclaration(
  /** @type {Tree} */ tree,
  /** @type {SourceFile} */ file,
  /** @type {string} */ name,
) {
  const entry = file
    .parse()
    .module.staticExports.flatMap(({ entries }) => entries)
    .find(({ exportName }) => exportName.name === name)
  if (!entry) return undefined
  if (!entry.moduleRequest) return findLocal(file, entry.localName.name ?? name)
  const target = tree.files.get(join(dirname(file.path), entry.moduleRequest.value))
  return target && findDeclaration(tree, target, entry.importName.name ?? name)
}

/** @returns {Declared | undefined} */
function findLocal(/** @type {SourceFile} */ file, /** @type {string} */ name) {
  const statement = file.parse().program.body.find((node) => declares(node, name))
  return statement && { file, statement }
}

function declares(/** @type {Statement} */ statement, /** @type {string} */ name) {
  const declaration = declarationOf(statement)
  if (declaration?.type === 'VariableDeclaration') {
    return declaration.declarations.some(({ id }) => id.type === 'Identifier' && id.name === name)
  }
  return (
    declaration !== undefined &&
    'id' in declaration &&
    declaration.id?.type === 'Identifier' &&
    declaration.id.name === name
  )
}

function isCallable(/** @type {Statement} */ statement, /** @type {string} */ name) {
  const declaration = declarationOf(statement)
  if (declaration?.type !== 'VariableDeclaration')
    return /Function|Class/.test(`${declaration?.type}`)
  return declaration.declarations.some(
    ({ id, init }) =>
      id.type === 'Identifier' && id.name === name && /Function/.test(`${init?.type}`),
  )
}

function declarationOf(/** @type {Statement} */ statement) {
  return statement.type === 'ExportNamedDeclaration'
    ? (statement.declaration ?? undefined)
    : statement
}

function hasDocComment(/** @type {Declared} */ { file, statement }) {
  return file
    .parse()
    .comments.some(
      ({ type, value, end }) =>
        type === 'Block' &&
        value.startsWith('*') &&
        file.text.slice(end, statement.start).trim() === '',
    )
}
