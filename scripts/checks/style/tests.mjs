import { lineAt } from '../tree.mjs'

/** @typedef {import('../tree.mjs').SourceFile} SourceFile */

/** @type {{ pattern: RegExp, message: string }[]} */
const refused = [
  {
    pattern: /from '(?:node:test|jest|@jest\/globals|mocha|ava)'/g,
    message: 'uses another test runner than vitest',
  },
  {
    pattern: /\bvi\.(?:mock|doMock|hoisted)\(/g,
    message: 'replaces a module: use the real one with an in-process end, or the stand-in',
  },
  {
    pattern: /\b(?:test|it|describe)(?:\.\w+)*\.(?:only|todo|skip|fails)\b/g,
    message: 'switches tests off: what cannot run here is skipped by skipIf, loudly',
  },
]

/**
 * One test runner; a test stands beside what it tests; nothing of ours is replaced, nothing
 * switched off.
 * @type {import('../findings.mjs').Check}
 */
export function checkTests({ files }) {
  const tests = [...files.values()].filter(({ path }) => /\.test\.tsx?$/.test(path))
  return tests.flatMap((file) => [...misplaced(file, files), ...refusedIn(file)])
}

/**
 * Beside `x.ts`, or beside the files of its folder that it tests together; in the room `scenarios`,
 * the whole of its package.
 * @param {SourceFile} file
 * @param {Map<string, SourceFile>} files
 */
function misplaced({ path, text }, files) {
  const apart = /(?:^|\/)(?:tests?|__tests__|spec)\//.test(path)
  const scenario = /\/src\/scenarios\/[\w.-]+$/.test(path)
  const twin = ['ts', 'tsx', 'mjs'].some((end) => files.has(path.replace(/test\.tsx?$/, end)))
  if (!apart && (scenario || twin || /['"`]\.\/[\w./-]+/.test(text))) return []
  return [{ file: path, line: 1, rule: 'test', message: 'stands beside nothing that it tests' }]
}

/** @param {SourceFile} file */
function refusedIn(file) {
  return refused.flatMap(({ pattern, message }) =>
    [...file.text.matchAll(pattern)].map(({ index }) => ({
      file: file.path,
      line: lineAt(file, index),
      rule: 'test',
      message,
    })),
  )
}
