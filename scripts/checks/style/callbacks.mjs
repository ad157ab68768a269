import { Visitor } from 'oxc-parser'
import { isCode, lineAt } from '../tree.mjs'

const callbackNames = new Set(['cb', 'callback', 'done'])
const callbackModules = /^(?:node:)?(?:fs|dns|zlib|crypto|child_process)$/

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
  const inspect = (/** @type {WithParams} */ { start, params }) => {
    const name = ownCallback(params.at(-1))
    if (name) faults.push({ start, message: `takes "${name}": return a promise instead` })
  }
  new Visitor({
    FunctionDeclaration: inspect,
    FunctionExpression: inspect,
    ArrowFunctionExpression: inspect,
    TSMethodSignature: inspect,
    TSFunctionType: inspect,
  }).visit(file.parse().program)
  return faults
}

/**
 * The name of a callback parameter that is our own choice. One without a type of its own has it
 * from the library that asks for it: a stream, a connector, a hook.
 */
function ownCallback(/** @type {import('oxc-parser').ParamPattern | undefined} */ last) {
  const target = last?.type === 'AssignmentPattern' ? last.left : last
  if (target?.type !== 'Identifier' || !callbackNames.has(target.name)) return undefined
  return target !== last || target.typeAnnotation ? target.name : undefined
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
