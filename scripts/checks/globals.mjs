import { lineAt } from './tree.mjs'

/**
 * @typedef {import('oxc-parser').Node} Node
 *
 * @typedef {object} GlobalUse
 * @property {string} text As it is written: `fetch`, `globalThis.fetch`.
 * @property {number} line
 */

/** Names for the object that holds every global. */
const holders = new Set(['globalThis', 'global', 'window', 'self'])

/**
 * Where a file uses a global of the given names at run time. A name that the file itself declares
 * around the place is not the global; types are left aside. The global object used as a whole may
 * be any of them, and counts.
 * @param {import('./tree.mjs').SourceFile} file
 * @param {ReadonlySet<string>} names
 * @returns {GlobalUse[]}
 */
export function globalsOf(file, names) {
  /** @type {GlobalUse[]} */
  const found = []
  visit(file.parse().program, [])
  return found

  /** @type {(node: Node, around: Node[]) => void} */
  function visit(node, around) {
    if (node.type === 'Identifier') judge(node, around)
    for (const child of childrenOf(node)) visit(child, [...around, node])
  }

  /** @type {(node: Node & { name: string }, around: Node[]) => void} */
  function judge(node, around) {
    const text = names.has(node.name) ? node.name : textOfHolder(node, around.at(-1))
    if (text === undefined || around.some((scope) => declaredIn(scope).includes(node.name))) return
    found.push({ text, line: lineAt(file, node.start) })
  }

  /** @type {(node: Node & { name: string }, parent: Node | undefined) => string | undefined} */
  function textOfHolder(node, parent) {
    if (!holders.has(node.name)) return undefined
    const property = parent?.type === 'MemberExpression' ? propertyOf(parent) : undefined
    if (property === undefined) return node.name
    return names.has(property) ? `${node.name}.${property}` : undefined
  }
}

/** @param {import('oxc-parser').MemberExpression} node */
function propertyOf({ property, computed }) {
  if (!computed) return 'name' in property ? property.name : undefined
  return property.type === 'Literal' ? String(property.value) : undefined
}

/**
 * The parts of a node that can hold a use of a variable: not types, not the names of properties.
 * @param {Node} node
 * @returns {Node[]}
 */
function childrenOf(node) {
  if (node.type === 'ImportDeclaration') return []
  if (node.type === 'ExportNamedDeclaration' && node.source !== null) return []
  const parts = Object.entries(node).filter(([key]) => !isName(node, key))
  const nodes = parts.flatMap(([, part]) => [part].flat()).filter(isNode)
  return node.type.startsWith('TS') ? nodes.filter((part) => !isType(part)) : nodes
}

/** @type {(node: Node, key: string) => boolean} */
function isName(node, key) {
  if (key === 'exported' || key === 'label' || key === 'exprName' || key === 'typeName') return true
  return (key === 'key' || key === 'property') && 'computed' in node && !node.computed
}

/** @param {Node} node */
function isType({ type }) {
  return type.startsWith('TS') && !/Expression|Assertion/.test(type)
}

/** @type {(value: unknown) => value is Node} */
function isNode(value) {
  return typeof value === 'object' && value !== null && 'type' in value
}

/**
 * The names that a node declares for what is inside it.
 * @param {Node} node
 * @returns {string[]}
 */
function declaredIn(node) {
  switch (node.type) {
    case 'Program':
    case 'BlockStatement':
    case 'StaticBlock':
      return node.body.flatMap(namesOfStatement)
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return [...node.params.flatMap(namesOfPattern), ...namesOfPattern(node.id)]
    case 'ForStatement':
      return namesOfStatement(node.init)
    case 'ForOfStatement':
    case 'ForInStatement':
      return namesOfStatement(node.left)
    case 'CatchClause':
      return namesOfPattern(node.param)
    default:
      return []
  }
}

/**
 * @param {Node | null | undefined} node
 * @returns {string[]}
 */
function namesOfStatement(node) {
  switch (node?.type) {
    case 'VariableDeclaration':
      return node.declare ? [] : node.declarations.flatMap(({ id }) => namesOfPattern(id))
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return namesOfPattern(node.id)
    case 'ImportDeclaration':
      return node.specifiers.map(({ local }) => local.name)
    case 'ExportNamedDeclaration':
      return namesOfStatement(node.declaration)
    default:
      return []
  }
}

/**
 * @param {Node | null | undefined} node
 * @returns {string[]}
 */
function namesOfPattern(node) {
  switch (node?.type) {
    case 'Identifier':
      return [node.name]
    case 'ObjectPattern':
      return node.properties.flatMap((property) =>
        namesOfPattern(property.type === 'Property' ? property.value : property),
      )
    case 'ArrayPattern':
      return node.elements.flatMap(namesOfPattern)
    case 'AssignmentPattern':
      return namesOfPattern(node.left)
    case 'RestElement':
      return namesOfPattern(node.argument)
    default:
      return []
  }
}
