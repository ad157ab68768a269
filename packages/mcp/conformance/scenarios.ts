import { authScenarios } from './auth-scenarios.ts'
import { open, openUndiscovered } from './open.ts'
import type { Scenario } from './scenario.ts'

/** What the client does in the scenario of this name. */
export function findScenario(name: string): Scenario {
  const scenario = scenarios[name]
  if (!scenario) throw new Error(`What to do in "${name}" is not known`)
  return scenario
}

const listTools: Scenario = async ({ url }) => {
  await using client = await open(url)
  await client.listTools()
}

const callWith =
  (args: Record<string, unknown>): Scenario =>
  async ({ url }) => {
    await using client = await open(url)
    for (const { name } of await client.listTools()) await client.callTool(name, args)
  }

const everyMethod: Scenario = async ({ url }) => {
  await using client = await openUndiscovered(url)
  for (const { name } of await client.listTools()) await client.callTool(name)
  for (const { uri } of await client.listResources()) await client.readResource(uri)
  for (const { name } of await client.listPrompts()) await client.getPrompt(name)
}

const givenCalls: Scenario = async ({ url, context }) => {
  await using client = await openUndiscovered(url)
  await client.listTools()
  for (const call of context.toolCalls ?? []) await client.callTool(call.name, call.arguments)
}

const whatIsLeftOfTools: Scenario = async ({ url }) => {
  await using client = await openUndiscovered(url)
  for (const { name } of await client.listTools()) await client.callTool(name, { region: 'us' })
}

const acceptDefaults: Scenario = async ({ url }) => {
  const elicit = async () => ({ action: 'accept' as const, content: {} })
  await using client = await open(url, { questions: { elicit } })
  await client.callTool('test_client_elicitation_defaults')
}

const everyQuestion: Scenario = async ({ url }) => {
  const refuse = async () => {
    throw new Error('nobody is there')
  }
  const questions = { elicit: refuse, sample: refuse, listRoots: async () => [] }
  await using client = await open(url, { questions })
  await client.listTools()
}

const inputRequired: Scenario = async ({ url }) => {
  const elicit = async () => ({ action: 'accept' as const, content: { confirmed: true } })
  await using client = await openUndiscovered(url, { questions: { elicit } })
  for (const name of ['echo_state', 'no_state', 'unrelated', 'no_result_type']) {
    await client.callTool(`test_mrtr_${name}`)
  }
}

const echoSchema: Scenario = async ({ url }) => {
  await using client = await open(url)
  const tools = await client.listTools()
  const schema = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema
  await client.callTool('json_schema_echo', { schema })
}

const scenarios: Record<string, Scenario> = {
  initialize: listTools,
  tools_call: callWith({ a: 5, b: 3 }),
  'elicitation-sep1034-client-defaults': acceptDefaults,
  'sse-retry': callWith({}),
  'request-metadata': everyQuestion,
  'http-standard-headers': everyMethod,
  'http-custom-headers': givenCalls,
  'http-invalid-tool-headers': whatIsLeftOfTools,
  'sep-2322-client-request-state': inputRequired,
  'json-schema-ref-no-deref': listTools,
  'json-schema-2020-12-preservation': echoSchema,
  ...authScenarios,
}
