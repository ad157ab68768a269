import { z } from 'zod'
import { modelProviderSettingsSchema, providerId } from '../model-providers.ts'
import { timestamp, wholeNumber } from '../scalars.ts'
import { secretString, secretViewSchema } from '../secret.ts'

/** GET /api/v1/models; `model` is `provider:model`. */
export const modelListSchema = z.object({
  models: z.array(
    z.object({
      model: z.string(),
      provider_id: z.string(),
      name: z.string(),
      is_default: z.boolean(),
    }),
  ),
})
export type ModelList = z.infer<typeof modelListSchema>

const scope = z.enum(['tenant', 'platform']).meta({
  description: 'Whether the tenant alone or every tenant may use it',
})

/** A model provider as an answer shows it; `api_key` is null where it needs none. */
export const providerInfoSchema = modelProviderSettingsSchema.extend({
  provider_id: providerId,
  scope,
  api_key: secretViewSchema.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})
export type ProviderInfo = z.infer<typeof providerInfoSchema>

/** GET /api/v1/model-providers */
export const providerListSchema = z.object({ providers: z.array(providerInfoSchema) })
export type ProviderList = z.infer<typeof providerListSchema>

const { shape } = modelProviderSettingsSchema

/** POST /api/v1/model-providers */
export const providerCreateSchema = z.strictObject({
  provider_id: providerId,
  scope: scope.default('tenant'),
  name: shape.name,
  kind: shape.kind,
  base_url: shape.base_url.default(null),
  models: shape.models.min(1),
  calls_tools: shape.calls_tools.default(true),
  enabled: shape.enabled.default(true),
  api_key: secretString.nullable().default(null),
})
export type ProviderCreate = z.infer<typeof providerCreateSchema>
export type ProviderCreateInput = z.input<typeof providerCreateSchema>

/**
 * PUT /api/v1/model-providers/{provider_id}: what is absent stays as it is, also a key whose view
 * is sent back; null takes it away.
 */
export const providerUpdateSchema = z.strictObject({
  name: shape.name.exactOptional(),
  kind: shape.kind.exactOptional(),
  base_url: shape.base_url.exactOptional(),
  models: shape.models.min(1).exactOptional(),
  calls_tools: shape.calls_tools.exactOptional(),
  enabled: shape.enabled.exactOptional(),
  api_key: z.union([secretString, secretViewSchema]).nullable().exactOptional(),
})
export type ProviderUpdate = z.infer<typeof providerUpdateSchema>
export type ProviderUpdateInput = z.input<typeof providerUpdateSchema>

/** POST /api/v1/model-providers/{provider_id}/test; of its first model where none is said. */
export const providerTestRequestSchema = z.strictObject({
  model: z.string().min(1).max(256).exactOptional(),
})
export type ProviderTestRequest = z.infer<typeof providerTestRequestSchema>

export const providerTestSchema = z.object({
  ok: z.boolean(),
  ms: wholeNumber,
  model: z.string(),
  message: z.string().exactOptional(),
})
export type ProviderTest = z.infer<typeof providerTestSchema>
