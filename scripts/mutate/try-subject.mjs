import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTestPath } from '../checks/tree.mjs'
import { mutantsOf, sampleOf } from './mutants.mjs'
import { createRunner } from './runner.mjs'

/**
 * @typedef {import('./mutants.mjs').Mutant} Mutant
 * @typedef {import('./runner.mjs').Fate} Fate
 * @typedef {import('./accepted.mjs').Accepted} Accepted
 *
 * @typedef {object} Score
 * @property {number} all Mutants that the sources have.
 * @property {number} tried
 * @property {number} killed Also those that ran out of time.
 * @property {number} survived Also those that no test reaches.
 * @property {number} accepted Left out of those tried.
 * @property {Accepted[]} stale No longer the text of any mutant.
 */

/**
 * Tries the mutants of a subject one after the other.
 * @param {import('./subjects.mjs').Subject} subject
 * @param {object} options
 * @param {string} options.root with a separator at its end
 * @param {readonly Accepted[]} options.accepted
 * @param {number} options.most
 * @param {string} options.seed
 * @param {(mutant: Mutant, fate: Fate) => void} options.onFate
 * @returns {Promise<Score>}
 */
export async function trySubject({ sources, tests }, { root, accepted, most, seed, onFate }) {
  const files = sources.flatMap((path) => filesBelow(root, path))
  const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')))
  const ours = accepted.filter(({ file }) => files.includes(file))
  const sample = sampleOf(all, most, seed)
  const mutants = sample.filter((mutant) => !ours.some((one) => isSame(one, mutant)))
  const fates = mutants.length > 0 ? await tryAll({ root, tests, mutants }, onFate) : []
  const killed = fates.filter((fate) => fate === 'killed' || fate === 'timed out').length
  return {
    all: all.length,
    tried: mutants.length,
    killed,
    survived: mutants.length - killed,
    accepted: sample.length - mutants.length,
    stale: ours.filter((one) => !all.some((mutant) => isSame(one, mutant))),
  }
}

/**
 * @param {Parameters<typeof createRunner>[0]} options
 * @param {(mutant: Mutant, fate: Fate) => void} onFate
 */
async function tryAll(options, onFate) {
  const runner = await createRunner(options)
  const fates = []
  for (const mutant of options.mutants) {
    const fate = await runner.run(mutant)
    onFate(mutant, fate)
    fates.push(fate)
  }
  await runner.close()
  return fates
}

/** @type {(one: Accepted, mutant: Mutant) => boolean} */
function isSame({ file, what }, mutant) {
  return mutant.file === file && mutant.what === what
}

/**
 * The sources at a path, which may be one of them: not tests nor what only tests use.
 * @param {string} root
 * @param {string} path
 */
function filesBelow(root, path) {
  const found = path.endsWith('.ts') ? [path] : globSync(`${path}/**/*.ts`, { cwd: root })
  return found
    .map((file) => file.replaceAll('\\', '/').replaceAll('//', '/'))
    .filter((file) => !isTestPath(file) && !file.includes('/testing/'))
    .sort()
}
