import { readJson } from '@dataagent/schema'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../define-tool/index.ts'
import { toContext } from './test-hub.ts'
import {
  approveTool,
  auditOf,
  faultOf,
  getOrder,
  getProduct,
  startMallHub,
} from './test-mall-hub.ts'
import { startReflectingServer } from './test-reflecting-server.ts'

const even = z.object({ count: z.number().refine((count) => count % 2 === 0, 'expected even') })
const pairs = defineTool({
  name: 'count_pairs',
  description: 'Counts pairs.',
  input: even,
  output: z.object({ pairs: z.number().max(10) }),
  run: ({ count }) => ({ pairs: count / 2 }),
})
const plain = defineTool({
  name: 'say',
  description: 'Says it.',
  input: z.object({ text: z.string() }),
  run: ({ text }) => text,
})

const rig = await startMallHub({ hub: { tools: [pairs, plain] } })
const { hub, mall } = rig
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => mall.forgetCalls())

const call = (tool: string, args: Record<string, unknown>) =>
  hub.callTool(toContext(), { tool, args })

describe('arguments', () => {
  const anOrder = 'a string (Number of the order, such as order-0042)'
  test.each([
    [{}, { path: 'orderId', expected: anOrder, got: 'nothing' }],
    [{ orderId: 42 }, { path: 'orderId', expected: anOrder, got: '42 (a number)' }],
    [
      { orderId: 'order-0001', colour: 'red' },
      { path: 'colour', expected: 'no such field; there are orderId', got: expect.any(String) },
    ],
  ])('%j is refused by its field, and reaches no server [A3.1]', async (args, fault) => {
    const outcome = await call(getOrder, args)
    expect(outcome).toMatchObject({
      status: 'invalid',
      error: { code: 'invalid_arguments', tool_name: getOrder, advice: 'fix_arguments' },
    })
    expect(faultOf(outcome).errors).toEqual([fault])
    expect(await rig.takeCalls()).toEqual([])
    expect(await auditOf(hub, outcome)).toMatchObject({
      status: 'invalid',
      input_validation: 'invalid',
      output_validation: 'not_reached',
      attempts: 0,
    })
  })

  test('that fit are passed on as they are, and the record says so', async () => {
    const outcome = await call(getOrder, { orderId: 'order-0042' })
    expect(outcome).toMatchObject({ status: 'ok' })
    expect(await mall.calls()).toMatchObject([{ arguments: { orderId: 'order-0042' } }])
    expect(await auditOf(hub, outcome)).toMatchObject({
      input_validation: 'ok',
      output_validation: 'ok',
      attempts: 1,
    })
  })
})

describe('a result', () => {
  test('that lacks a field is an error that names it, and the call is not repeated [A3.2] [T15]', async () => {
    await mall.breakOutput(getOrder)
    const outcome = await call(getOrder, { orderId: 'order-0042' })
    await mall.breakOutput(getOrder, false)
    expect(outcome).toMatchObject({
      status: 'invalid',
      error: {
        ...{ code: 'invalid_result', tool_name: getOrder },
        errors: [{ path: 'orderId', got: 'nothing' }],
      },
    })
    expect(outcome).not.toHaveProperty('result')
    expect(await rig.takeCalls()).toEqual([getOrder])
    expect(await auditOf(hub, outcome)).toMatchObject({
      status: 'invalid',
      output_validation: 'invalid',
      attempts: 1,
    })
  })

  test('of the wrong type is an error that names it [A3.2]', async () => {
    const wrong = { type: 'object', properties: { price: { type: 'string' } } } as const
    await using strict = await startMallHub({ mall: { tools: [getProduct] } })
    await strict.mall.changeTool(getProduct, { outputSchema: { ...wrong, required: ['price'] } })
    await approveTool(strict, getProduct)
    const args = { productId: 'product-001' }
    const outcome = await strict.hub.callTool(toContext(), { tool: getProduct, args })
    const wrongPrice = { path: 'price', expected: 'a string', got: '40.49 (a number)' }
    expect(outcome).toMatchObject({
      status: 'invalid',
      error: { code: 'invalid_result', errors: [wrongPrice] },
    })
    expect(await strict.takeCalls()).toEqual([getProduct])
  })

  test("of a server's tool without an output schema is not checked, and recorded so [A3.2]", async () => {
    await using server = await startReflectingServer()
    await rig.connect({ name: 'mirror', url: server.url })
    const outcome = await call('mirror.reflect', {})
    expect(outcome).toMatchObject({
      status: 'ok',
      result: { text: expect.stringContaining(new URL(server.url).host) },
    })
    const recorded = { status: 'ok', output_validation: 'no_schema', attempts: 1 }
    expect(await auditOf(hub, outcome)).toMatchObject(recorded)
    const { attributes } = await rig.spanOf(outcome)
    expect(attributes).toMatchObject({
      'dataagent.status': 'ok',
      'dataagent.output_validation': 'no_schema',
    })
  })

  test('of our own tool without an output schema is recorded so too [A3.2]', async () => {
    const outcome = await call('say', { text: 'hello' })
    expect(outcome).toMatchObject({ status: 'ok', result: { text: 'hello' } })
    expect(await auditOf(hub, outcome)).toMatchObject({ output_validation: 'no_schema' })
  })
})

test.each(['arguments', 'result'])(
  'the error object of bad %s is the same in outcome, audit row and span [A3.3]',
  async (what) => {
    await mall.breakOutput(getOrder)
    const args = what === 'result' ? { orderId: 'order-0042' } : {}
    const outcome = await call(getOrder, args)
    await mall.breakOutput(getOrder, false)
    const error = faultOf(outcome)
    expect(error).toMatchObject({ tool_name: getOrder, errors: [{ path: 'orderId' }] })
    const { error: recorded } = await auditOf(hub, outcome)
    expect(readJson(recorded!)).toEqual(error)
    const { attributes, status } = await rig.spanOf(outcome)
    expect(readJson(String(attributes['dataagent.error']))).toEqual(error)
    expect(status).toMatchObject({ code: 2 })
  },
)

describe('a tool of our own', () => {
  test('names the fields that its signature alone can judge [A3.1]', async () => {
    const outcome = await call('count_pairs', { count: 3 })
    expect(outcome).toMatchObject({
      status: 'invalid',
      error: { code: 'invalid_arguments', errors: [{ path: 'count', expected: 'even' }] },
    })
    expect(await auditOf(hub, outcome)).toMatchObject({ input_validation: 'invalid' })
  })

  test('is held to its own output [A3.2]', async () => {
    const outcome = await call('count_pairs', { count: 40 })
    expect(outcome).toMatchObject({
      status: 'invalid',
      error: { code: 'invalid_result', errors: [{ path: 'pairs' }] },
    })
    expect(await auditOf(hub, outcome)).toMatchObject({ output_validation: 'invalid' })
  })
})
