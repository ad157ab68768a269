/**
 * What can be changed at one node of a syntax tree. Each change is small, and one that a test of
 * the behaviour should notice.
 *
 * @typedef {import('oxc-parser').Node} Node
 *
 * @typedef {object} Change
 * @property {Node} node What is replaced, or taken out.
 * @property {string} text What stands there instead.
 * @property {string} [how] In short, where the text alone would not show it.
 *
 * @typedef {object} Place
 * @property {Node} node
 * @property {Node[]} around Its parents, the nearest last.
 * @property {(node: Node) => string} textOf
 */

const operators = new Map([
  ...toSwaps(['< <=', '> >=', '=== !==', '&& ||']),
  // Not the other way: a plus may join texts.
  ['-', '+'],
  ['*', '/'],
])
const methods = toSwaps(['some every', 'min max'])

/**
 * @param {Place} place
 * @returns {Change[]}
 */
export function changesAt({ node, around, textOf }) {
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return ['true', 'false'].map((text) => ({ node: node.test, text }))
    case 'BinaryExpression':
    case 'LogicalExpression':
      return isTest(node, around) && /^[!=]==$/.test(node.operator)
        ? []
        : operatorChanges(node, textOf)
    case 'UnaryExpression':
      return node.operator !== '!' || isTest(node, around)
        ? []
        : [{ node, text: textOf(node.argument) }]
    case 'ExpressionStatement':
      return isCall(node.expression) ? [{ node, text: '{}' }] : []
    case 'ThrowStatement':
      return isWholeBranch(node, around) ? [] : [{ node, text: '{}' }]
    case 'ReturnStatement':
      return node.argument || isWholeBranch(node, around) ? [] : [{ node, text: '{}' }]
    case 'CallExpression':
      return methodChanges(node, textOf)
    case 'ChainExpression':
      return linkChanges(node, textOf)
    case 'Literal':
      return literalChanges(node, around)
    default:
      return []
  }
}

/**
 * @param {Extract<Node, { type: 'BinaryExpression' | 'LogicalExpression' }>} node
 * @param {Place['textOf']} textOf
 */
function operatorChanges(node, textOf) {
  if (node.operator === '??') return [{ node, text: textOf(node.left) }]
  const other = operators.get(node.operator)
  if (!other) return []
  // In brackets: the other operator may bind more or less, and `??` mixes with none.
  const text = `(${textOf(node.left)}) ${other} (${textOf(node.right)})`
  return [{ node, text, how: `${node.operator} → ${other}` }]
}

/**
 * @param {import('oxc-parser').CallExpression} node
 * @param {Place['textOf']} textOf
 */
function methodChanges(node, textOf) {
  const { callee } = node
  if (callee.type !== 'MemberExpression' || callee.computed) return []
  const other = methods.get(nameOf(callee.property))
  if (!other) return []
  const args = textOf(node).slice(callee.end - node.start)
  return [{ node, text: `${textOf(callee.object)}.${other}${args}` }]
}

/**
 * Each `?.` of a chain as if what is before it were always there.
 * @param {import('oxc-parser').ChainExpression} node
 * @param {Place['textOf']} textOf
 * @returns {Change[]}
 */
function linkChanges(node, textOf) {
  const whole = textOf(node)
  return linksOf(node.expression).map((link) => {
    const at = link.end - node.start
    const rest = whole.slice(at).replace(/^\s*\?\./, '')
    const text = `${whole.slice(0, at)}${/^[[(<]/.test(rest) ? '' : '.'}${rest}`
    return { node, text, how: `without ?. after ${textOf(link)}` }
  })
}

/**
 * What stands before each `?.`.
 * @param {Node} node
 * @returns {Node[]}
 */
function linksOf(node) {
  switch (node.type) {
    case 'MemberExpression':
      return [...linksOf(node.object), ...(node.optional ? [node.object] : [])]
    case 'CallExpression':
      return [...linksOf(node.callee), ...(node.optional ? [node.callee] : [])]
    case 'TSNonNullExpression':
      return linksOf(node.expression)
    default:
      return []
  }
}

/**
 * @param {Extract<Node, { type: 'Literal' }>} node
 * @param {Node[]} around
 */
function literalChanges(node, around) {
  if (typeof node.value === 'boolean') return [{ node, text: String(!node.value) }]
  if ('regex' in node && node.regex) return patternChanges(node, node.regex)
  if (typeof node.value !== 'string' || node.value === '' || !decides(node, around)) return []
  return [{ node, text: "''" }]
}

/**
 * An anchor or the disregard of case, left away.
 * @param {Node} node
 * @param {{ pattern: string, flags: string }} regex
 */
function patternChanges(node, { pattern, flags }) {
  const texts = []
  if (pattern.startsWith('^')) texts.push(`/${pattern.slice(1) || '(?:)'}/${flags}`)
  if (/(?<!\\)\$$/.test(pattern)) texts.push(`/${pattern.slice(0, -1) || '(?:)'}/${flags}`)
  if (flags.includes('i')) texts.push(`/${pattern}/${flags.replace('i', '')}`)
  return texts.map((text) => ({ node, text }))
}

/** What goes under such a name is for people to read. */
const read = /message|title|text|reason|hint|name|label|describe|meta/i

/**
 * Whether a text at this place decides something: it is in a list, the value of a field, or what a
 * method looks for.
 * @param {Node} node
 * @param {Node[]} around
 */
function decides(node, around) {
  const parent = around.at(-1)
  switch (parent?.type) {
    case 'ArrayExpression':
      return true
    case 'Property':
      return parent.value === node && !read.test(nameOf(parent.key))
    case 'CallExpression':
      return parent.callee.type === 'MemberExpression' && !read.test(nameOf(parent.callee.property))
    default:
      return false
  }
}

/** @param {Node} node */
function nameOf(node) {
  if (node.type === 'Literal') return String(node.value)
  return node.type === 'Identifier' ? node.name : ''
}

/** @param {Node} node */
function isCall(node) {
  const called = node.type === 'AwaitExpression' ? node.argument : node
  if (called.type === 'CallExpression') return called.callee.type !== 'Super'
  return called.type === 'ChainExpression'
}

/**
 * Whether it is a whole condition, which is made true and false anyway.
 * @param {Node} node
 * @param {Node[]} around
 */
function isTest(node, around) {
  const parent = around.at(-1)
  return parent !== undefined && 'test' in parent && parent.test === node
}

/**
 * All that an `if` does: without it, the condition may as well be false.
 * @param {Node} node
 * @param {Node[]} around
 */
function isWholeBranch(node, around) {
  const parent = around.at(-1)
  const block = parent?.type === 'BlockStatement' && parent.body.length === 1
  const branch = block ? parent : node
  const statement = block ? around.at(-2) : parent
  return statement?.type === 'IfStatement' && statement.consequent === branch
}

/**
 * @param {string[]} pairs
 * @returns {ReadonlyMap<string, string>}
 */
function toSwaps(pairs) {
  const split = pairs.map((pair) => /** @type {[string, string]} */ (pair.split(' ')))
  return new Map([...split, ...split.map(([one, other]) => /** @type {const} */ ([other, one]))])
}
