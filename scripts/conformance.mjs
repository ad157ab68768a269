// npm run conformance [-- SUITE… SCENARIO…]: the official suites against packages/mcp. Without
// names everything; `auth` is every scenario below it.
import { availableParallelism } from 'node:os'
import { argv, exit } from 'node:process'
import { judge, readExpectedFailures } from './conformance/expected-failures.mjs'
import { toTable } from './conformance/report.mjs'
import { runScenario } from './conformance/run-scenario.mjs'
import { selectRuns } from './conformance/select-runs.mjs'
import { listRuns } from './conformance/suites.mjs'

const { runs, unknown } = selectRuns(await listRuns(), argv.slice(2))
if (unknown.length > 0) {
  console.error(`There is no suite and no scenario ${unknown.join(', ')}`)
  exit(2)
}

/** @type {import('./conformance/run-scenario.mjs').Ran[]} */
const done = []
const waiting = [...runs]
// More at once than there are cores, and the clients run out of time.
await Promise.all(Array.from({ length: availableParallelism() }, work))

const { rows, faults } = judge(done, await readExpectedFailures())
console.log(`\n${toTable(rows)}`)
for (const fault of faults) console.log(`\n✗ ${fault}`)
exit(faults.length === 0 ? 0 : 1)

async function work() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const ran = await runScenario(next)
    done.push(ran)
    console.log(`${done.length}/${runs.length} ${next.suite.name} ${next.scenario}`)
  }
}
