import { Visitor } from 'oxc-parser'
import { isCode, lineAt } from '../tree.mjs'

const callbackNames = new Set(['cb', 'callback', 'done'])
const callbackModules = /^(?:node:)?(?:fs|dns|zlib|crypto|child_process)$/
/** Functions whose shape is given by Node or a library: `lookup` by `net.connect`. */
const foreign = new Set(['lookup'])

/**
 * @typedef {import('../tree.mjs').SourceFile} SourceFile
 * @typedef {import('oxc-parser').Node} Node
 * @typedef {import('oxc-parser').Program} Program
 * @typedef {{ start: number, params: import('oxc-parser').ParamPattern[] }} WithParams
 * @typedef {{ start: number, message: string }} Fault
 */

/**
 * Asynchronous code awaits. It neither takes a callback as last parameter nor passes one to an API
 * of Node that has a promise form.
 * @type {import('../findings.mjs').Check}
 */
export function checkCallbacks({ files }) {
  return [...files.values()].filter(isCode).flatMap((file) =>
    [...takenCallbacks(file), ...passedCallbacks(file)].map(({ start, message }) => ({
      file: file.path,
      line: lineAt(file, start),
      rule: 'callback',
      message,
    })),
  )
}

function takenCallbacks(/** @type {SourceFile} */ file) {
  /** @type {Fault[]} */
  const faults = []
  /** @type {Set<unknown>} */
  const exempt = new Set()
  const exemptValue = (/** @type {{ key: Node, value: unknown }} */ { key, value }) => {
    if (key.type === 'Identifier' && foreign.has(key.name)) exempt.add(value)
  }
  const inspect = (/** @type {WithParams} */ node) => {
    const name = callbackName(node)
    if (name === undefined || exempt.has(node)) return
    faults.push({ start: node.start, message: `takes "${name}": return a promise instead` })
  }
  new Visitor({
    Property: exemptValue,
    MethodDefinition: exemptValue,
    FunctionDeclaration: inspect,
    FunctionExpression: inspect,
    ArrowFunctionExpression: inspect,
    TSMethodSignature: inspect,
    TSFunctionType: inspect,
  }).visit(file.parse().program)
  return faults
}

function callbackName(/** @type {WithParams} */ { params }) {
  const last = params.at(-1)
  const target = last?.type === 'AssignmentPattern' ? last.left : last
  const name = target?.type === 'Identifier' ? target.name : ''
  return callbackNames.has(name) ? name : undefined
}

function passedCallbacks(/** @type {SourceFile} */ file) {
  /** @type {Fault[]} */
  const faults = []
  const program = file.parse().program
  const names = callbackImports(program)
  new Visitor({
    CallExpression: ({ start, callee, arguments: passed }) => {
      const text = file.text.slice(callee.start, callee.end)
      if (!names.has(text.split('.')[0] ?? '') || !isFunction(passed.at(-1))) return
      faults.push({ start, message: `${text} with a callback: use its promise form` })
    },
  }).visit(program)
  return faults
}

/** The local names under which the file imports a module that takes callbacks. */
function callbackImports(/** @type {Program} */ program) {
  const names = program.body.flatMap((node) =>
    node.type === 'ImportDeclaration' && callbackModules.test(node.source.value)
      ? node.specifiers.map((specifier) => specifier.local.name)
      : [],
  )
  return new Set(names.filter((name) => !name.startsWith('watch')))
}

function isFunction(/** @type {Node | undefined} */ node) {
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression'
}
