// npm run checkpointer [-- sqlite mysql postgres]: LangGraph's own suite against the checkpointer
// of packages/langchain, on each database or on those named. The suite is installed beside the
// workspace.
import { join } from 'node:path'
import { argv, exit } from 'node:process'
import { toLines } from './checkpointer/report.mjs'
import { databases, runSuite } from './checkpointer/run-suite.mjs'
import { install, isInstalled } from './setup/install.mjs'
import { withLock } from './setup/lock.mjs'
import { repository } from './setup/paths.mjs'

const names = argv.slice(2)
const unknown = names.filter((name) => !databases.includes(name))
if (unknown.length > 0) {
  console.error(`There is no database ${unknown.join(', ')}: ${databases.join(', ')}`)
  exit(2)
}

const folder = join(repository, 'packages/langchain/conformance')
await withLock(join(repository, '.cache/checkpointer'), async () => {
  if (!isInstalled(folder)) await install(folder)
})
const chosen = names.length > 0 ? names : databases
const { lines, faults } = toLines(await runSuite(folder, chosen), chosen)
for (const line of lines) console.log(line)
for (const fault of faults) console.log(`\n✗ ${fault}`)
exit(faults.length === 0 ? 0 : 1)
