import {
  createIntentRecogniser,
  createToolPromptBuilder,
  createToolPromptTools,
  type ToolMode,
} from '@dataagent/core'
import { type CatalogueEntry, createToolset } from '@dataagent/hub'
import type { Benchmark, Subject } from './harness.ts'

const modes: readonly ToolMode[] = ['always', 'intent', 'search', 'auto']
const messages = {
  'meant by name': 'Use the find_customer_7 tool for order-0042',
  'meant by keyword': 'Where is the parcel of order-0042?',
  'not meant': 'Write me a poem about the sea.',
}

/** What of a thousand tools a model has to read, by mode, and what it costs to find out. */
export const benchmark: Benchmark = {
  description:
    'tokens of tools in the prompt by mode, and the time to build it, by number of tools',
  sizes: [10, 100, 1_000],
  prepare({ size }) {
    const entries = Array.from({ length: size }, (_, i) => toEntry(i))
    const servers = Array.from({ length: Math.ceil(size / 20) }, (_, i) => toServer(i))
    const view = { entries: () => entries, servers: () => servers, describe() {} }
    const own = createToolset(createToolPromptTools(view)).entries
    const recogniser = createIntentRecogniser()
    const build = createToolPromptBuilder()
    const subjects = modes.flatMap((mode) =>
      Object.entries(messages).map(([name, message]): Subject => {
        const run = () => {
          const match = recogniser.recognise({
            ...{ message, entries, servers, hasPendingApproval: false },
          })
          return build({ mode, own, entries, servers, match, described: new Set() })
        }
        const { tokens } = run()
        console.info(`${size} tools, ${mode}, ${name}: ${tokens} tokens`)
        return {
          name: `${mode}, ${name}`,
          ...(mode !== 'always' && { baseline: `always, ${name}` }),
          run(count) {
            for (let i = 0; i < count; i += 1) run()
          },
        }
      }),
    )
    return { subjects }
  },
}

function toServer(i: number) {
  const name = `server${i}`
  const trigger_keywords = i === 0 ? ['parcel', '快递'] : [`keyword${i}`]
  return { server_id: name, name, description: `Customers and orders ${i}`, trigger_keywords }
}

/** A tool of the size that tools of real servers have. */
function toEntry(i: number): CatalogueEntry {
  const server_id = `server${Math.floor(i / 20)}`
  const name = `find_customer_${i}`
  const text = { type: 'string', description: 'A part of the name, in any script, or the whole' }
  const inputSchema = {
    type: 'object',
    properties: { query: text, country: text, limit: { type: 'integer', default: 20 } },
    required: ['query'],
  }
  const description =
    'Finds customers by a part of their name. Gives for each the id, the name, the country and ' +
    'when they last ordered; at most `limit` of them, those who ordered last first.'
  return {
    tool: {
      ...{ tenant_id: 'default', server_id, name, state: 'active', version: 1, hash: `${i}` },
      definition: { name, description, inputSchema },
      ...{ findings: [], position: i, created_at: 1, seen_at: 1 },
    },
    offer: { status: 'offered' },
    sdk_name: `${server_id}.${name}`,
    wire_name: `${server_id}--${name}`,
  }
}
