import { expect, test } from 'vitest'
import { callModern, modern, openSession } from './test-clients.ts'
import { nineTools, startClinicGateway } from './test-clinic.ts'
import { ask, request } from './test-wire.ts'

const namesOf = ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name).sort()

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'a client of %s begins, lists and calls with its header [E1.2]',
  async (version) => {
    const { url, key: token, customer_id } = await startClinicGateway()
    const session = await openSession(url, token, { version })
    expect(session.version).toBe(version)
    const { headers } = session
    expect(headers).toMatchObject({ 'mcp-protocol-version': version })
    const send = (method: string, params?: object) =>
      ask(`${url}/mcp`, { token, headers, body: request(1, method, params) })
    expect(namesOf((await send('tools/list')).result)).toEqual(nineTools)
    const call = { name: 'get_user_profile', arguments: { user_id: customer_id } }
    const { status, result } = await send('tools/call', call)
    expect(status).toBe(200)
    expect(result.structuredContent).toMatchObject({ user_id: customer_id })
    expect(result).not.toHaveProperty('resultType')
    const wrong = await send('tools/call', { ...call, arguments: {} })
    // Since 2025-11-25 the model is told, which can mend them.
    if (version === '2025-11-25') expect(wrong.result).toMatchObject({ isError: true })
    else expect(wrong.error).toMatchObject({ code: -32602 })
  },
)

test('a client of 2026-07-28 lists and calls without a beginning [E1.2]', async () => {
  const { url, key: token, customer_id } = await startClinicGateway()
  const { result } = await ask(`${url}/mcp`, { token, ...modern('tools/list') })
  expect(namesOf(result)).toEqual(nineTools)
  const call = { name: 'get_user_profile', arguments: { user_id: customer_id } }
  expect((await callModern(url, token, call)).result).toMatchObject({
    ...{ resultType: 'complete', structuredContent: { user_id: customer_id } },
  })
})
