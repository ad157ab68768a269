import { describe, expect, test } from 'vitest'
import { createTool } from './tool.ts'

const handler = () => 'done'
const parameters = [
  { name: 'path', type: 'string', description: 'Where', required: true },
  { name: 'depth', type: 'integer', required: false },
  { name: 'extra', required: false },
]

describe('a tool says what a model must know [C1.1]', () => {
  test('TestTool_RawJSONSchema_Overrides_Parameters', () => {
    const rawJsonSchema = { type: 'object', properties: { raw: {} }, $defs: { a: true }, oneOf: [] }
    const tool = createTool({ name: 't', description: 'd', parameters, handler, rawJsonSchema })
    expect(tool.parameters).toBe(parameters)
    expect(tool.toJsonSchema()).toEqual({ name: 't', description: 'd', parameters: rawJsonSchema })
    expect(tool.toJsonSchema().parameters).toBe(rawJsonSchema)
  })

  test('a part that is undefined is a part that is not given', () => {
    const unset = { parameters: undefined, rawJsonSchema: undefined }
    const tool = createTool({ name: 't', description: 'd', handler, ...unset })
    expect(tool.parameters).toEqual([])
    expect(tool.toJsonSchema().parameters).toEqual({ type: 'object', properties: {} })
  })

  test('TestTool_RawJSONSchema_Nil_Fallback: the schema is made from the parameters', () => {
    const tool = createTool({ name: 't', description: 'd', parameters, handler })
    expect(tool).toMatchObject({ name: 't', description: 'd', parameters, handler })
    expect(tool.rawJsonSchema).toBeUndefined()
    expect(tool.toJsonSchema()).toEqual({
      name: 't',
      description: 'd',
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Where' },
          depth: { type: 'integer' },
          extra: {},
        },
        required: ['path'],
      },
    })
  })

  test('without parameters it is the schema of an empty object', () => {
    const { parameters: schema } = createTool({
      name: 't',
      description: '',
      handler,
    }).toJsonSchema()
    expect(schema).toEqual({ type: 'object', properties: {} })
  })

  test('a parameter may be called as a property of every object is', () => {
    const odd = [{ name: '__proto__', type: 'string', required: true }]
    const tool = createTool({ name: 't', description: '', parameters: odd, handler })
    expect(JSON.stringify(tool.toJsonSchema().parameters)).toBe(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    )
  })
})
