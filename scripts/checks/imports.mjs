import { Visitor } from 'oxc-parser'
import { lineAt } from './tree.mjs'

/**
 * @typedef {import('oxc-parser').Node} Node
 * @typedef {import('oxc-parser').ImportDeclaration
 *   | import('oxc-parser').ExportNamedDeclaration} Statement
 *
 * @typedef {object} Import
 * @property {string} specifier
 * @property {number} line
 * @property {boolean} typeOnly Nothing of it is left when types are stripped. `import { type A }`
 *   is not: stripping leaves `import {}`, which still loads the module.
 * @property {string[]} [names] What it takes at run time; absent where it may take anything.
 */

/**
 * Everything a file imports: statements, `export … from`, `import()`, `require()`,
 * `import.meta.resolve()` and `import('x').Type`. It reads the syntax tree, so comments and strings
 * cannot mislead it.
 * @returns {Import[]}
 */
export function importsOf(/** @type {import('./tree.mjs').SourceFile} */ file) {
  /** @type {Import[]} */
  const found = []
  /** @type {(source: Node | null | undefined, typeOnly?: boolean, names?: string[]) => void} */
  const add = (source, typeOnly = false, names = undefined) => {
    const literal = toLiteral(source)
    if (!literal) return
    const place = { specifier: literal.value, line: lineAt(file, literal.start) }
    found.push({ ...place, typeOnly, ...(names && { names }) })
  }
  new Visitor({
    ImportDeclaration: (node) => add(node.source, node.importKind === 'type', namesOf(node)),
    ExportNamedDeclaration: (node) => add(node.source, node.exportKind === 'type', namesOf(node)),
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source, true),
    TSExternalModuleReference: (node) => add(node.expression),
    CallExpression: (node) => {
      if (loaders.has(calleeText(file, node))) add(node.arguments[0])
    },
  }).visit(file.parse().program)
  return found
}

const loaders = new Set([
  'require',
  'require.resolve',
  'import.meta.resolve',
  'process.getBuiltinModule',
])

/**
 * The names without those that are types; undefined when one stands for the whole module.
 * @param {Statement} statement
 */
function namesOf({ specifiers }) {
  const names = specifiers.map((one) => {
    if (one.type === 'ImportSpecifier')
      return one.importKind === 'type' ? [] : [nameOf(one.imported)]
    if (one.type === 'ExportSpecifier') return one.exportKind === 'type' ? [] : [nameOf(one.local)]
    return undefined
  })
  return names.every((name) => name !== undefined) ? names.flat() : undefined
}

function nameOf(/** @type {import('oxc-parser').ModuleExportName} */ node) {
  return node.type === 'Literal' ? node.value : node.name
}

function calleeText(
  /** @type {import('./tree.mjs').SourceFile} */ file,
  /** @type {import('oxc-parser').CallExpression} */ node,
) {
  return file.text.slice(node.callee.start, node.callee.end)
}

/** @returns {{ value: string, start: number } | undefined} */
function toLiteral(/** @type {Node | null | undefined} */ node) {
  if (node?.type === 'Literal')
    return typeof node.value === 'string' ? { ...node, value: node.value } : undefined
  if (node?.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined
  return { value: node.quasis[0]?.value.cooked ?? '', start: node.start }
}
