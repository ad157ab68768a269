import type { ModelPort } from '../contract.ts'
import { createProviderModel } from '../provider-model.ts'
import type { ProviderOptions } from '../provider-options.ts'
import { createAnthropicDecoder } from './anthropic-answer.ts'
import { createAnthropicBody } from './anthropic-body.ts'

export interface AnthropicOptions extends ProviderOptions {
  /** Of an answer, where the request does not say: the API wants a limit. Default 8,192. */
  maxTokens?: number | undefined
}

/** A model behind Anthropic's messages API. `baseUrl` may end with the version or not. */
export function createAnthropicModel(options: AnthropicOptions): ModelPort {
  const { model, extra, apiKey, baseUrl, maxTokens = 8_192 } = options
  const contextWindow = options.contextWindow ?? 200_000
  return createProviderModel(
    { ...options, contextWindow },
    {
      name: 'anthropic',
      path: /\/v\d+\/*$/.test(baseUrl) ? '/messages' : '/v1/messages',
      headers: { 'x-api-key': apiKey?.reveal(), 'anthropic-version': '2023-06-01' },
      toBody: createAnthropicBody({ model, extra, maxTokens }),
      createDecoder: (answerer, { messages }) => createAnthropicDecoder({ answerer, messages }),
    },
  )
}
