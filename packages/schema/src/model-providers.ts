import { z } from 'zod'
import { id, name } from './scalars.ts'

/** A provider's own part of `provider:model`. */
export const providerId = id.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'expected up to 64 letters')

/** A model provider as an administrator adds it, without its key. */
export const modelProviderSettingsSchema = z.object({
  name,
  kind: z.enum(['openai', 'anthropic']).meta({ description: 'The API that it speaks' }),
  base_url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .nullable(),
  models: z.array(z.string().min(1).max(256)).max(200),
  calls_tools: z.boolean().meta({
    description: 'False for models that call tools only by their text',
  }),
  enabled: z.boolean(),
})
export type ModelProviderSettings = z.infer<typeof modelProviderSettingsSchema>
