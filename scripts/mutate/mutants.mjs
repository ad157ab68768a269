import { createHash } from 'node:crypto'
import { parseSync } from 'oxc-parser'
import { changesAt } from './mutations.mjs'

/**
 * @typedef {import('oxc-parser').Node} Node
 *
 * One small change of one source file.
 * @typedef {object} Mutant
 * @property {string} file
 * @property {number} line
 * @property {number} start
 * @property {number} end
 * @property {string} text What stands from `start` to `end` instead.
 * @property {string} what `a < b → a <= b`, in one line.
 * @property {Range} marked What runs exactly when the changed code does, to tell who reaches it.
 *
 * @typedef {{ start: number, end: number, isStatement: boolean }} Range
 */

/** A call whose arguments are for people to read. */
const telling = /^(?:log|logger|console|warn|debug)\b|^this\.log\b|\blog\.\w+$/

/**
 * Every mutant of a file. Types, imports, what is logged and the texts of errors have none.
 * @param {string} file
 * @param {string} source
 * @returns {Mutant[]}
 */
export function mutantsOf(file, source) {
  /** @type {Mutant[]} */
  const found = []
  const { program } = parseSync(file, source, { astType: 'ts' })
  visit(program, [])
  return found

  /** @param {Node} node */
  function textOf(node) {
    return source.slice(node.start, node.end)
  }

  /** @type {(node: Node, around: Node[]) => void} */
  function visit(node, around) {
    if (isSilent(node, textOf)) return
    for (const change of changesAt({ node, around, textOf })) {
      const path = change.node === node ? around : [...around, node]
      found.push(toMutant(change, rangeOf(change.node, path)))
    }
    for (const child of childrenOf(node)) visit(child, [...around, node])
  }

  /** @type {(change: import('./mutations.mjs').Change, marked: Range) => Mutant} */
  function toMutant({ node: { start, end }, text, how }, marked) {
    const line = source.slice(0, start).split('\n').length
    const before = inOneLine(source.slice(start, end))
    const what = text === '{}' ? `${before} removed` : `${before} → ${inOneLine(text)}`
    return { file, line, start, end, text, what: how ? `${before}: ${how}` : what, marked }
  }
}

/**
 * The source with one change in it.
 * @param {string} source
 * @param {Mutant} mutant
 */
export function withMutant(source, { start, end, text }) {
  return source.slice(0, start) + text + source.slice(end)
}

/**
 * At most so many, always the same ones of the same code and seed.
 * @param {Mutant[]} mutants
 * @param {number} most
 * @param {string} seed
 */
export function sampleOf(mutants, most, seed) {
  const alike = new Map()
  const ranked = mutants.map((mutant) => {
    const place = `${mutant.file}\0${mutant.what}`
    const before = alike.get(place) ?? 0
    alike.set(place, before + 1)
    return { mutant, rank: rankOf(`${seed}\0${place}\0${before}`) }
  })
  const chosen = ranked.sort((a, b) => a.rank.localeCompare(b.rank)).slice(0, most)
  const kept = new Set(chosen.map(({ mutant }) => mutant))
  return mutants.filter((mutant) => kept.has(mutant))
}

/** @param {string} text */
function rankOf(text) {
  return createHash('sha256').update(text).digest('hex')
}

/**
 * @param {Node} node
 * @param {(node: Node) => string} textOf
 */
function isSilent(node, textOf) {
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return true
  if (node.type === 'NewExpression') return textOf(node.callee).endsWith('Error')
  if (node.type !== 'ExpressionStatement') return false
  const { expression } = node
  return expression.type === 'CallExpression' && telling.test(textOf(expression.callee))
}

/**
 * The parts that do something at run time.
 * @param {Node} node
 * @returns {Node[]}
 */
function childrenOf(node) {
  return Object.values(node)
    .flat()
    .filter((part) => isNode(part) && !isType(part))
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
 * A bracket at the beginning of a statement would continue the line before it: there the whole
 * statement is marked. The same where an expression cannot be put in brackets.
 * @param {Node} node
 * @param {Node[]} around
 * @returns {Range}
 */
function rangeOf(node, around) {
  const statement = around.findLast(({ type }) => /Statement$/.test(type))
  const first = statement?.type === 'ExpressionStatement' && statement.start === node.start
  const { start, end } = first ? statement : node
  return { start, end, isStatement: first || /Statement$/.test(node.type) }
}

/** @param {string} text */
function inOneLine(text) {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 90 ? `${line.slice(0, 60)} … ${line.slice(-25)}` : line
}
