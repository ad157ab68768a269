// A typed function as a tool: its zod schema is its signature, and all rules hold for it too.
import assert from 'node:assert/strict'
import { type CallContext, defineTool, ownServerId } from '@dataagent/hub'
import { z } from 'zod'
import { admin, openHub } from './open-hub.ts'

const convert = defineTool({
  name: 'convert_length',
  description: 'Converts a length from metres.',
  input: z.object({
    metres: z.number().describe('The length'),
    unit: z.enum(['ft', 'in']).default('ft').describe('What to convert to'),
  }),
  output: z.object({ value: z.number(), unit: z.string() }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ metres, unit }) => ({ value: metres * (unit === 'ft' ? 3.28084 : 39.3701), unit }),
})
assert.deepEqual(convert.inputSchema.required, ['metres'])

await using opened = await openHub({ tools: [convert] })
const { hub } = opened
await hub.policy.setAllowList(admin, { kind: 'tenant', id: 'acme' }, [
  { server_id: ownServerId, tool: 'convert_*' },
])

const principal = { tenant_id: 'acme', user_id: 'ada', role: 'user' } as const
const context: CallContext = { principal, source: 'sdk', approver: { kind: 'nobody' } }
const outcome = await hub.callTool(context, { tool: 'convert_length', args: { metres: 10 } })
assert(outcome.status === 'ok')
console.log(outcome.result.raw.structuredContent)
assert.deepEqual(outcome.result.raw.structuredContent, { value: 32.8084, unit: 'ft' })

const wrong = await hub.callTool(context, { tool: 'convert_length', args: { metres: 'ten' } })
assert(wrong.status === 'invalid')
console.log(wrong.error.message)
