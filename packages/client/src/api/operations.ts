import {
  healthResponseSchema,
  jsonObject,
  readinessResponseSchema,
  settingsListSchema,
} from '@dataagent/schema'
import type { CallOptions, Verbs } from '../http/index.ts'

export function createOperationsApi({ get, open }: Verbs) {
  return {
    health: (options?: CallOptions) => get('/health', { answer: healthResponseSchema, ...options }),
    ready: (options?: CallOptions) =>
      get('/ready', { answer: readinessResponseSchema, ...options }),
    /** In the text format of Prometheus. */
    async metrics(options?: CallOptions): Promise<string> {
      const response = await open('/metrics', { accept: 'text/plain', ...options })
      return response.text()
    },
    settings: (options?: CallOptions) =>
      get('/settings', { answer: settingsListSchema, ...options }),
    openapi: (options?: CallOptions) => get('/openapi.json', { answer: jsonObject, ...options }),
  }
}
