import { runAsCommand } from './findings.mjs'
import { checkCallbacks } from './style/callbacks.mjs'
import { checkClasses } from './style/classes.mjs'
import { checkCompilerFlags } from './style/compiler-flags.mjs'
import { checkDependencies } from './style/dependencies.mjs'
import { checkDocComments } from './style/doc-comments.mjs'
import { checkLineWidth } from './style/line-width.mjs'
import { checkOwnWords } from './style/own-words.mjs'
import { checkTests } from './style/tests.mjs'

/** What the compiler and Biome cannot see of the house style. */
export const styleChecks = [
  checkCompilerFlags,
  checkLineWidth,
  checkDocComments,
  checkClasses,
  checkCallbacks,
  checkTests,
  checkOwnWords,
  checkDependencies,
]

await runAsCommand(import.meta.url, styleChecks)
