import { parseAs, serverConfigSchema } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { people, startTestPlatform } from '../testing/test-platform.ts'

const config = parseAs(serverConfigSchema, { name: 'date', command: '/bin/date' }, 'server')

test('what is stored and cannot be read approves nothing, and is told to the operator', async () => {
  await using server = await startTestPlatform()
  const { templates, tables, note } = server.platform
  const check = async () => templates.gate.check(people.ada, config, 'user')
  const change = { tenant_id: '*', kind: 'setting', target: 'x', action: 'changed' } as const
  await expect(check()).rejects.toThrow('none is approved')
  const approved = [{ name: 'date', command: '/bin/date', args: [] }]
  await templates.change(approved, note(people.operator, change))
  await expect(check()).resolves.toBeUndefined()
  await tables.settings.change('command_templates', '{"templates":[{"name":1}]}')
  await templates.reload()
  expect(templates.list()).toEqual([])
  await expect(check()).rejects.toThrow('none is approved')
  const told = server.records.map(({ message }) => message)
  expect(told).toContain('the stored command templates cannot be read: none is approved')
})
