import { expect, test } from 'vitest'
import { aRecord } from '../audit/test-records.ts'
import { toCallAttributes, toMethodAttributes } from './call-attributes.ts'

test('a call is told in the words of OpenTelemetry, and in ours where it has none [A5.1]', () => {
  const found = toCallAttributes(aRecord({ call_id: 'c1', args: '{"orderId":"7"}' }))
  expect(found).toMatchObject({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'mall4j.order.get_detail',
    'gen_ai.tool.call.id': 'c1',
    'gen_ai.tool.call.arguments': '{"orderId":"7"}',
    'gen_ai.agent.id': 'agent',
    'session.id': 's1',
    'user.id': 'ana',
    'dataagent.server_id': 'mall4j',
    'dataagent.tenant_id': 't',
    'dataagent.policy_revision': 7,
    'dataagent.status': 'ok',
  })
  expect(found['error.type']).toBeUndefined()
  expect(found['gen_ai.tool.call.result']).toBeUndefined()
})

test('a failed call has the code of its fault, and the fault [A3.3]', () => {
  const error = '{"code":"tool_not_allowed","tool_name":"x"}'
  const found = toCallAttributes(aRecord({ status: 'denied', server_id: null, error }))
  expect(found).toMatchObject({ 'error.type': 'tool_not_allowed', 'dataagent.error': error })
})

test('a method that is no tool is told by its name', () => {
  const found = toMethodAttributes(aRecord({ tool_name: 'resources/read' }))
  expect(found).toMatchObject({ 'mcp.method.name': 'resources/read', 'user.id': 'ana' })
  expect(found['gen_ai.operation.name']).toBeUndefined()
})

test.each([null, 'no JSON', '[]', '{"code":1}'])('with the fault %j it has its status', (error) => {
  expect(toCallAttributes(aRecord({ status: 'timeout', error }))['error.type']).toBe('timeout')
})
