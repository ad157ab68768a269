// One scenario of the official conformance suites. They start this program with the address of
// their server as the last argument and tell the scenario in the environment.
import { parseJson } from '@dataagent/schema'
import { isMcpError } from '../src/index.ts'
import { findScenario } from './scenarios.ts'
import { egress } from './way-out.ts'

const { MCP_CONFORMANCE_SCENARIO: name = '', MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env
/** Tells the runner that the client did not break but refused, as some scenarios want it. */
const refusedExitCode = 3

try {
  const scenario = findScenario(name)
  await scenario({ url: `${process.argv.at(-1)}`, context: Object(parseJson(context)) })
} catch (error) {
  if (!isMcpError(error)) throw error
  console.error(`${error.kind}: ${error.message}`)
  process.exitCode = refusedExitCode
} finally {
  await egress.close()
}
