import type { ModelPort } from '../contract.ts'
import { createProviderModel } from '../provider-model.ts'
import type { ProviderOptions } from '../provider-options.ts'
import { createOpenAiDecoder } from './openai-answer.ts'
import { createOpenAiBody } from './openai-body.ts'

/**
 * A model behind the chat completions API of OpenAI, or of one of the many servers that speak it.
 * `baseUrl` ends with the version: `https://api.openai.com/v1`.
 */
export function createOpenAiModel(options: ProviderOptions): ModelPort {
  const { model, extra, apiKey, baseUrl } = options
  // Newer models of OpenAI refuse the old name; other servers know only that.
  const isOwn = URL.parse(baseUrl)?.hostname === 'api.openai.com'
  const limitField = isOwn ? 'max_completion_tokens' : 'max_tokens'
  return createProviderModel(options, {
    name: 'openai',
    path: '/chat/completions',
    headers: { authorization: apiKey && `Bearer ${apiKey.reveal()}` },
    toBody: createOpenAiBody({ model, extra, limitField }),
    createDecoder: (answerer, { messages }) => createOpenAiDecoder({ answerer, messages }),
  })
}
