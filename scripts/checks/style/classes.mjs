import { Visitor } from 'oxc-parser'
import { isCode, isTest, lineAt } from '../tree.mjs'

/** Errors, and what another framework knows only as its own. */
const extendable = new Set([
  ...['Error', 'AppError', 'BaseCallbackHandler', 'BaseChatModel', 'BaseCheckpointSaver'],
])

/**
 * Data is described by schemas and types: a class that only holds fields is refused, and a class
 * extends nothing but an error or what a framework demands.
 * @type {import('../findings.mjs').Check}
 */
export function checkClasses({ files }) {
  return [...files.values()]
    .filter((file) => isCode(file) && !isTest(file))
    .flatMap((file) =>
      classesIn(file).flatMap((node) =>
        faultsOf(file, node).map((message) => ({
          file: file.path,
          line: lineAt(file, node.start),
          rule: 'class',
          message,
        })),
      ),
    )
}

/** @typedef {import('oxc-parser').Class} Class */

function classesIn(/** @type {import('../tree.mjs').SourceFile} */ file) {
  /** @type {Class[]} */
  const found = []
  const add = (/** @type {Class} */ node) => void found.push(node)
  new Visitor({ ClassDeclaration: add, ClassExpression: add }).visit(file.parse().program)
  return found
}

/** @returns {string[]} */
function faultsOf(
  /** @type {import('../tree.mjs').SourceFile} */ file,
  /** @type {Class} */ { superClass, body },
) {
  if (superClass) {
    const parent = file.text.slice(superClass.start, superClass.end)
    return extendable.has(parent) ? [] : [`extends ${parent}: compose instead of inheriting`]
  }
  const behaves = body.body.some(
    (member) => member.type === 'MethodDefinition' && member.kind !== 'constructor',
  )
  return behaves ? [] : ['only holds fields: declare a schema or a type']
}
