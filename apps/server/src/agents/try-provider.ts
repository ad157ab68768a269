import { createAnthropicModel, createOpenAiModel, type ModelPort } from '@dataagent/core'
import type { EgressPolicy } from '@dataagent/guard'
import { AppError, isAppError } from '@dataagent/schema'
import type { OpenedProvider, OpenProviderOptions } from './opened-provider.ts'

const timeoutMs = 15_000

/**
 * Asks a provider for a few words, once. Throws `invalid_request` without a model to ask, and an
 * error that says in plain words what is wrong: in the provider's own words too, but not to one
 * whose addresses are restricted.
 */
export async function tryProvider(
  provider: OpenedProvider,
  model: string | undefined,
  { egress, policyOf, clock }: Omit<OpenProviderOptions, 'vault'>,
): Promise<{ ms: number; model: string }> {
  const asked = model ?? provider.row.models[0]
  if (asked === undefined) throw new AppError('invalid_request', 'Say which model to ask.')
  const policy = policyOf(provider.row.tenant_id)
  const begun = clock.monotonic()
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    await drain(connect(provider, asked, { egress, policy }), signal)
  } catch (error) {
    if (signal.aborted) throw tooLate(error)
    throw policy.mode === 'any' ? inPlainWords(error, asked) : inOwnWords(error, asked)
  }
  return { ms: Math.round(clock.monotonic() - begun), model: asked }
}

/** Without the retries of a turn: who tries wants to know what happens. */
function connect(
  { row, settings }: OpenedProvider,
  model: string,
  wayOut: Pick<OpenProviderOptions, 'egress'> & { policy: EgressPolicy },
): ModelPort {
  const { values } = settings()
  const shared = { ...wayOut, model }
  if (row.kind === 'openai') {
    const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl } = values
    return createOpenAiModel({ ...shared, apiKey, baseUrl })
  }
  const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseUrl } = values
  return createAnthropicModel({ ...shared, apiKey, baseUrl })
}

async function drain(model: ModelPort, signal: AbortSignal): Promise<void> {
  const question = { role: 'user', content: 'Say OK.' } as const
  const request = { system: '', messages: [question], tools: [], maxTokens: 64 }
  for await (const _ of model.stream(request, signal));
}

function tooLate(cause: unknown): AppError {
  const message = `The provider did not answer within ${timeoutMs / 1000} seconds.`
  return new AppError('timeout', message, { cause })
}

function inPlainWords(error: unknown, model: string): unknown {
  if (!isAppError(error)) return error
  const words = toWords(error, model)
  return words === undefined
    ? error
    : new AppError(error.code, `${words} (${error.message})`, { cause: error })
}

/** Nothing of what the address has answered but its status. */
function inOwnWords(error: unknown, model: string): unknown {
  if (!isAppError(error) || error.code === 'egress_denied') return error
  const { status } = error.data ?? {}
  const words = toWords(error, model) ?? 'The provider did not accept the request.'
  const told = status === undefined ? words : `${words} (HTTP ${status})`
  return new AppError(error.code, told, { cause: error })
}

function toWords({ code, data }: AppError, model: string): string | undefined {
  const { status, reason } = data ?? {}
  if (code === 'unauthenticated') return 'The provider does not accept the key.'
  if (code === 'rate_limited') return 'The provider has had too many requests: try again later.'
  if (reason === 'model_not_found' || status === 404)
    return `The provider does not know the model ${model}, or its address is wrong.`
  if (code === 'forbidden') return 'The provider may not be used so.'
  if (status === undefined && code !== 'invalid_request')
    return 'There is no connection to the provider.'
  return undefined
}
