import { AppError, isAppError, parseAs, secretString } from '@dataagent/schema'
import { z } from 'zod'

export const openAiUrl = 'https://api.openai.com/v1'
export const anthropicUrl = 'https://api.anthropic.com'

const isHttp = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')
const url = (fallback: string) =>
  z
    .string()
    .trim()
    .refine(isHttp, { params: { expected: 'http:// or https:// URL' } })
    .default(fallback)

/** Every variable of the environment that the agent reads [D6.1], and its default [D6.4]. */
export const settingsSchema = z.object({
  OPENAI_API_KEY: secretString
    .optional()
    .describe('Key for OpenAI, or for the server at OPENAI_BASE_URL. Default: none'),
  OPENAI_BASE_URL: url(openAiUrl).describe(
    'Address of an API that speaks chat completions, with its version. A server of your own needs no key',
  ),
  ANTHROPIC_API_KEY: secretString.optional().describe('Key for Anthropic. Default: none'),
  ANTHROPIC_BASE_URL: url(anthropicUrl).describe('Address of an API that speaks messages'),
  TAVILY_API_KEY: secretString
    .optional()
    .describe('Key for searching the web with Tavily. Default: none, and no search'),
  DATAAGENT_MODEL: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe(
      'Model as provider:model; several, separated by commas, stand in for each other. Default: one of the provider whose key is set, else demo',
    ),
})

export type SettingsValues = z.infer<typeof settingsSchema>

/** The environment as a program gets it. */
export type EnvironmentValues = Readonly<Record<string, string | undefined>>

/** Reads the settings; an empty value is none. Throws `config_invalid` that names the variable. */
export function parseSettings(env: EnvironmentValues): SettingsValues {
  const given = Object.keys(settingsSchema.shape).filter((name) => (env[name] ?? '').trim() !== '')
  try {
    const values = Object.fromEntries(given.map((name) => [name, env[name]]))
    return Object.freeze(parseAs(settingsSchema, values, 'environment'))
  } catch (error) {
    if (!isAppError(error)) throw error
    throw new AppError('config_invalid', error.message, { ...(error.data && { data: error.data }) })
  }
}
