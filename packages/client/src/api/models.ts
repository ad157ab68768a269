import {
  modelListSchema,
  type ProviderCreateInput,
  type ProviderTestRequest,
  type ProviderUpdateInput,
  providerInfoSchema,
  providerListSchema,
  providerTestSchema,
} from '@dataagent/schema'
import { type CallOptions, toPath, type Verbs } from '../http/index.ts'

const answer = providerInfoSchema

export function createModelsApi({ get }: Verbs) {
  return {
    list: (options?: CallOptions) => get('/models', { answer: modelListSchema, ...options }),
  }
}

export function createModelProvidersApi({ get, create, post, put, tell }: Verbs) {
  return {
    list: (options?: CallOptions) =>
      get('/model-providers', { answer: providerListSchema, ...options }),
    create: (body: ProviderCreateInput, options?: CallOptions) =>
      create('/model-providers', { body, answer, ...options }),
    update: (provider_id: string, body: ProviderUpdateInput, options?: CallOptions) =>
      put(toPath`/model-providers/${provider_id}`, { body, answer, ...options }),
    delete: (provider_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/model-providers/${provider_id}`, options),
    test: (provider_id: string, body: ProviderTestRequest = {}, options?: CallOptions) =>
      post(toPath`/model-providers/${provider_id}/test`, {
        ...{ body, answer: providerTestSchema, ...options },
      }),
  }
}
