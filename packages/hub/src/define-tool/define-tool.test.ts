import type { CallToolResult } from '@dataagent/mcp'
import { isAppError } from '@dataagent/schema'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { createValidator } from '../validation/index.ts'
import type { OwnToolContext, ToolSpec } from './contract.ts'
import { defineTool } from './define-tool.ts'

const context: OwnToolContext = {
  principal: { tenant_id: 't1', user_id: 'ana', role: 'user' },
  signal: new AbortController().signal,
  call_id: 'c1',
}

function signature(input: z.ZodType) {
  return defineTool({ name: 't', description: 'd', input, run: () => '' }).inputSchema
}

function giving(value: unknown) {
  const tool = defineTool({ name: 't', description: 'd', input: z.object({}), run: () => value })
  return tool.run({}, context)
}

describe('the signature of a tool [E4.1]', () => {
  test('has every type, items and values in full, what is required, defaults and descriptions', () => {
    const input = z.object({
      text: z.string().describe('what to look for'),
      count: z.int().min(1).default(10),
      exact: z.boolean(),
      ratio: z.number().optional(),
      tags: z.array(z.string()),
      lines: z.array(z.object({ sku: z.string(), amount: z.int() })),
      prices: z.record(z.string(), z.number()),
      order: z.enum(['up', 'down']).default('up'),
      place: z.object({ city: z.string(), zip: z.string().nullable() }),
    })
    expect(signature(input)).toEqual({
      type: 'object',
      properties: {
        text: { type: 'string', description: 'what to look for' },
        count: { type: 'integer', minimum: 1, default: 10 },
        exact: { type: 'boolean' },
        ratio: { type: 'number' },
        tags: { type: 'array', items: { type: 'string' } },
        lines: {
          type: 'array',
          items: {
            type: 'object',
            properties: { sku: { type: 'string' }, amount: { type: 'integer' } },
            required: ['sku', 'amount'],
            additionalProperties: false,
          },
        },
        prices: { type: 'object', additionalProperties: { type: 'number' } },
        order: { type: 'string', enum: ['up', 'down'], default: 'up' },
        place: {
          type: 'object',
          properties: { city: { type: 'string' }, zip: { type: ['string', 'null'] } },
          required: ['city', 'zip'],
          additionalProperties: false,
        },
      },
      required: ['text', 'exact', 'tags', 'lines', 'prices', 'place'],
      additionalProperties: false,
    })
  })

  test('takes other fields where the schema says so', () => {
    expect(signature(z.looseObject({}))).not.toHaveProperty('additionalProperties', false)
  })

  test('keeps fields that are called like keywords', () => {
    const input = z.object({ propertyNames: z.string(), minimum: z.int(), default: z.string() })
    expect(signature(input)).toMatchObject({
      properties: {
        propertyNames: { type: 'string' },
        minimum: { type: 'integer' },
        default: { type: 'string' },
      },
    })
  })

  test('of an intersection accepts the fields of both', () => {
    const input = z.object({ x: z.object({ a: z.string() }).and(z.object({ b: z.string() })) })
    const value = { x: { a: '1', b: '2' } }
    expect(createValidator().validate('k', signature(input), value)).toEqual({ status: 'ok' })
  })

  test('is plain for the validator, a recursive one too', () => {
    const node = z.object({
      name: z.string(),
      get below() {
        return z.array(node)
      },
    })
    const validator = createValidator()
    expect(validator.judgeSchema(signature(node))).toEqual({ status: 'plain' })
    const value = { name: 'a', below: [{ name: 'b', below: [] }] }
    expect(validator.validate('k', signature(node), value)).toEqual({ status: 'ok' })
  })

  test('of the function is inferred', () => {
    defineTool({
      name: 't',
      description: 'd',
      input: z.object({ a: z.string(), n: z.int().default(1), o: z.boolean().optional() }),
      run: (args, { signal }) => {
        expectTypeOf(args).toEqualTypeOf<{ a: string; n: number; o?: boolean | undefined }>()
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
        return args.a
      },
    })
  })
})

describe('a tool that cannot be offered is refused when it is defined', () => {
  test.each<[string, Partial<ToolSpec<z.ZodType>>, string]>([
    ['a name with a space', { name: 'a b' }, 'name has 1 to 64 letters'],
    ['a long name', { name: 'a'.repeat(65) }, 'name has 1 to 64 letters'],
    ['no description', { description: ' ' }, 'needs a description'],
    ['a string as input', { input: z.string() }, 'must be an object schema'],
    [
      'a choice of objects as input',
      { input: z.union([z.object({}), z.string()]) },
      'object schema',
    ],
    ['a date as input', { input: z.object({ d: z.date() }) }, 'has no JSON Schema'],
  ])('%s', (_, fields, message) => {
    const spec = { name: 't', description: 'd', input: z.object({}), run: () => '', ...fields }
    expect(() => defineTool(spec)).toThrow(message)
  })
})

describe('a run', () => {
  test('fills in defaults and hands over the context', async () => {
    const tool = defineTool({
      name: 'greet',
      description: 'd',
      input: z.object({ name: z.string(), times: z.int().default(2) }),
      run: ({ name, times }, { call_id }) => `${call_id}: ${name.repeat(times)}`,
    })
    expect(await tool.run({ name: 'a' }, context)).toEqual({
      content: [{ type: 'text', text: 'c1: aa' }],
    })
  })

  test('with arguments that do not fit rejects and names the field', async () => {
    const tool = defineTool({
      name: 't',
      description: 'd',
      input: z.object({ a: z.string() }),
      run: () => '',
    })
    const error = await tool.run({ a: 1 }, context).catch((caught) => caught)
    expect(isAppError(error, 'invalid_arguments')).toBe(true)
    expect(error.data).toEqual({ errors: [{ path: 'a', expected: 'string', got: 'number' }] })
  })

  test('rejects as the function does', async () => {
    const run = () => Promise.reject(new Error('no'))
    const tool = defineTool({ name: 't', description: 'd', input: z.object({}), run })
    await expect(tool.run({}, context)).rejects.toThrow('no')
  })

  test.each<[string, unknown, CallToolResult]>([
    ['a string is text', 'hi', { content: [{ type: 'text', text: 'hi' }] }],
    ['a number is text', 3, { content: [{ type: 'text', text: '3' }] }],
    ['nothing is empty', undefined, { content: [] }],
    [
      'an object is structured',
      { a: 1 },
      { content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 1 } },
    ],
    [
      'a list has a name',
      [1],
      { content: [{ type: 'text', text: '[1]' }], structuredContent: { result: [1] } },
    ],
    [
      'what JSON leaves out is left out',
      { a: undefined, b: new Date(0) },
      {
        content: [{ type: 'text', text: '{"b":"1970-01-01T00:00:00.000Z"}' }],
        structuredContent: { b: '1970-01-01T00:00:00.000Z' },
      },
    ],
    [
      'a whole result passes',
      { content: [{ type: 'text', text: 'x' }], isError: true },
      { content: [{ type: 'text', text: 'x' }], isError: true },
    ],
  ])('%s', async (_, value, result) => {
    expect(await giving(value)).toEqual(result)
  })

  test('a value that JSON cannot hold is an error that says so', async () => {
    await expect(giving({ a: 1n })).rejects.toMatchObject({ code: 'invalid_result' })
  })
})

describe('a tool with an output schema', () => {
  const count = defineTool({
    name: 'count',
    description: 'd',
    input: z.object({ words: z.array(z.string()) }),
    output: z.int(),
    run: ({ words }) => (words.length === 0 ? 0.5 : words.length),
  })

  test('offers it, under a name where it is no object', () => {
    expect(count.outputSchema).toEqual({
      type: 'object',
      properties: { result: { type: 'integer' } },
      required: ['result'],
      additionalProperties: false,
    })
  })

  test('gives what fits it', async () => {
    const { structuredContent, content } = await count.run({ words: ['a'] }, context)
    expect(structuredContent).toEqual({ result: 1 })
    expect(content).toEqual([{ type: 'text', text: '1' }])
    const verdict = createValidator().validate('k', count.outputSchema!, structuredContent)
    expect(verdict).toEqual({ status: 'ok' })
  })

  test('rejects where its function gives something else', async () => {
    await expect(count.run({ words: [] }, context)).rejects.toMatchObject({
      code: 'invalid_result',
      data: { errors: [{ path: '', expected: 'integer', got: 'number' }] },
    })
  })
})
