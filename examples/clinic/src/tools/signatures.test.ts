import { afterAll, expect, test } from 'vitest'
import { openClinicDatabase } from '../database/index.ts'
import { createClinicTools } from './clinic-tools.ts'

const database = openClinicDatabase()
afterAll(() => database.close())
const tools = createClinicTools({ database })
const toolOf = (name: string) => tools.find((tool) => tool.name === name)!

test('a field without a default is required, one with a default shows it [E4.1]', () => {
  expect(toolOf('search_users').inputSchema).toMatchObject({
    properties: { keyword: { default: '' }, role: { default: 'any' }, limit: { default: 20 } },
  })
  expect(toolOf('search_users').inputSchema.required).toBeUndefined()
  expect(toolOf('create_consultation_summary').inputSchema.required).toEqual([
    'consultation_id',
    'summary',
  ])
})

test('items of lists are given in full [E4.1]', () => {
  expect(toolOf('optimize_plan').inputSchema).toMatchObject({
    properties: {
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: { service_id: { type: 'string' }, sessions: { type: 'integer' } },
          required: ['service_id', 'sessions'],
        },
      },
    },
  })
})

test('all but one only read, and that one destroys nothing', () => {
  const writing = tools.filter(({ annotations }) => !annotations.readOnlyHint)
  expect(writing.map(({ name }) => name)).toEqual(['create_consultation_summary'])
  expect(writing[0]?.annotations).toMatchObject({ destructiveHint: false, idempotentHint: false })
})

test('every tool has a title, a description, a category and both schemas', () => {
  for (const { title, description, category, outputSchema } of tools) {
    expect([title, description, category]).not.toContain(undefined)
    expect(outputSchema).toMatchObject({ type: 'object' })
  }
})
