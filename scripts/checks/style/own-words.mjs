import { isCode } from '../tree.mjs'

/** Each pattern is written so that it does not match its own source. */
const everywhere = [
  { pattern: /(?<![\w.~-])\/(?:work|root)\/[\w.]/, message: 'names a path of one machine' },
  {
    pattern: /registry\.(?:npmjs|yarnpkg|npmmirror)|^\s*(?:@[\w-]+:)?registry\s*=|_auth[T]oken/,
    message: 'names a package registry',
  },
]
const inCode = [{ pattern: /\bT[O]DO\b|\bFIX[M]E\b/, message: 'finish it or leave it out' }]

/**
 * The project speaks of itself only: no paths of the machine it was written on, no registry, no
 * notes of work left undone.
 * @type {import('../findings.mjs').Check}
 */
export function checkOwnWords({ files }) {
  return [...files.values()].flatMap((file) => {
    const rules = isCode(file) ? [...everywhere, ...inCode] : everywhere
    return file.text
      .split('\n')
      .flatMap((line, index) =>
        rules
          .filter(({ pattern }) => pattern.test(line))
          .map(({ message }) => ({ file: file.path, line: index + 1, rule: 'own words', message })),
      )
  })
}
