import {
  AppError,
  isAppError,
  type ProviderTest,
  providerCreateSchema,
  providerId,
  providerInfoSchema,
  providerListSchema,
  providerTestRequestSchema,
  providerTestSchema,
  providerUpdateSchema,
} from '@dataagent/schema'
import { z } from 'zod'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import type { ProviderRow } from '../ports/index.ts'
import {
  addProvider,
  changeProvider,
  findProvider,
  listProviders,
  removeProvider,
} from './model-providers-changes.ts'
import { toProviderInfo } from './model-providers-view.ts'
import { createTestsAtOnce } from './tests-at-once.ts'

const params = z.strictObject({ provider_id: providerId })
const all = '/model-providers'
const one = `${all}/:provider_id`
const managed = { tag: 'models', access: 'admin' } as const

/** Model providers, which administrators add; their keys are written and never read. */
export function providerRoutes(platform: GetPlatform): Route[] {
  const inTurn = createTestsAtOnce()
  return [
    defineRoute({
      ...{ ...managed, method: 'GET', path: all, summary: "The tenant's and the platform's." },
      answer: providerListSchema,
      async handle({ principal }) {
        const rows = await listProviders(platform(), principal)
        const infos = rows.map((row) => toProviderInfo(platform().vault, row, principal))
        return { providers: await Promise.all(infos) }
      },
    }),
    defineRoute({
      ...{ ...managed, method: 'POST', path: all, summary: 'Adds a model provider.' },
      body: providerCreateSchema,
      answer: providerInfoSchema,
      status: 201,
      creates: true,
      async handle({ principal, body }) {
        const row = await addProvider(platform(), principal, body)
        return toProviderInfo(platform().vault, row, principal)
      },
    }),
    defineRoute({
      ...{ ...managed, method: 'PUT', path: one, summary: 'Changes a model provider.' },
      params,
      body: providerUpdateSchema,
      answer: providerInfoSchema,
      async handle({ principal, params: { provider_id }, body: update }) {
        const row = await changeProvider(platform(), principal, { provider_id, update })
        return toProviderInfo(platform().vault, row, principal)
      },
    }),
    defineRoute({
      ...{ ...managed, method: 'DELETE', path: one, summary: 'Removes a model provider.' },
      params,
      handle: ({ principal, params: { provider_id } }) =>
        removeProvider(platform(), principal, provider_id),
    }),
    defineRoute({
      ...{ ...managed, method: 'POST', path: `${one}/test`, isLong: true },
      summary: 'Asks a provider for a few words, and says what is wrong.',
      params,
      body: providerTestRequestSchema,
      answer: providerTestSchema,
      async handle({ principal, params: { provider_id }, body: { model } }) {
        const row = await findProvider(platform(), principal, provider_id)
        return inTurn(principal, () => testProvider(platform(), row, model ?? row.models[0]))
      },
    }),
  ]
}

async function testProvider(
  { agents, clock }: Platform,
  row: ProviderRow,
  model: string | undefined,
): Promise<ProviderTest> {
  if (model === undefined) throw new AppError('invalid_request', 'Say which model to ask.')
  const begun = clock.monotonic()
  try {
    return { ok: true, ...(await agents.testProvider(row, model)) }
  } catch (error) {
    if (!isAppError(error) || error.code === 'internal') throw error
    const ms = Math.round(clock.monotonic() - begun)
    return { ok: false, ms, model, message: error.message }
  }
}
