// npm run mutate [-- subject|path … --most N --seed S]: changes the sources in small ways, one at a
// time, and tells which changes no test notices. Without a subject, all of them.
import { join, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { accepted } from './mutate/accepted.mjs'
import { toLine, toTable } from './mutate/report.mjs'
import { subjectOf, subjects } from './mutate/subjects.mjs'
import { trySubject } from './mutate/try-subject.mjs'
import { cacheOf, repository } from './setup/paths.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    most: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    root: { type: 'string', default: repository },
  },
})
const root = resolve(values.root) + sep
const names = positionals.length > 0 ? positionals : Object.keys(subjects)
// Tests start processes: each loads what another has compiled.
process.env.NODE_COMPILE_CACHE ??= join(cacheOf(repository), 'compiled')

const scores = []
for (const name of names) {
  const score = await trySubject(subjectOf(name), {
    root,
    accepted,
    most: Number(values.most),
    seed: values.seed,
    onFate: (mutant, fate) => {
      if (fate === 'survived' || fate === 'not reached') console.log(toLine(mutant, fate))
    },
  })
  for (const { file, what } of score.stale) console.log(`${file}  accepted, but gone: ${what}`)
  scores.push({ name, ...score })
}
console.log(`\n${toTable(scores)}`)
process.exit(scores.every(({ survived, stale }) => survived + stale.length === 0) ? 0 : 1)
