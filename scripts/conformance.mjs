// npm run conformance [-- gateway] [-- SUITE… SCENARIO…]: the official suites against packages/mcp,
// or against packages/gateway. Without names everything; `auth` is every scenario below it.
import { argv, exit } from 'node:process'
import { judge, readExpectedFailures } from './conformance/expected-failures.mjs'
import { toTable } from './conformance/report.mjs'
import { selectRuns } from './conformance/select-runs.mjs'
import { clientSubject, gatewaySubject } from './conformance/subjects.mjs'

const isGateway = argv[2] === 'gateway'
const subject = isGateway ? gatewaySubject : clientSubject
const { runs, unknown } = selectRuns(await subject.list(), argv.slice(isGateway ? 3 : 2))
if (unknown.length > 0) {
  console.error(`There is no suite and no scenario ${unknown.join(', ')}`)
  exit(2)
}

/** @type {import('./conformance/run-scenario.mjs').Ran[]} */
const done = []
const waiting = [...runs]
const lanes = await subject.open(runs)
await Promise.all(lanes.map(work))
await Promise.all(lanes.map((lane) => lane.close()))

const { rows, faults } = judge(done, await readExpectedFailures(subject.expectedFailures))
console.log(`\n${toTable(rows)}`)
for (const fault of faults) console.log(`\n✗ ${fault}`)
exit(faults.length === 0 ? 0 : 1)

async function work(/** @type {import('./conformance/subjects.mjs').Lane} */ lane) {
  for (;;) {
    const at = waiting.findIndex(lane.takes)
    const [next] = at === -1 ? [] : waiting.splice(at, 1)
    if (next === undefined) return
    done.push(await lane.run(next))
    console.log(`${done.length}/${runs.length} ${next.suite.name} ${next.scenario}`)
  }
}
