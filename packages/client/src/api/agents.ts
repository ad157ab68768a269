import {
  type AgentCreateInput,
  type AgentUpdate,
  agentDetailsSchema,
  agentListSchema,
} from '@dataagent/schema'
import { type CallOptions, toPath, type Verbs } from '../http/index.ts'

const answer = agentDetailsSchema

export function createAgentsApi({ get, create, put, tell }: Verbs) {
  return {
    list: (options?: CallOptions) => get('/agents', { answer: agentListSchema, ...options }),
    /** With those that are switched off, for administrators. */
    listAll: (options?: CallOptions) =>
      get('/agents', { query: { all: 'true' }, answer: agentListSchema, ...options }),
    create: (body: AgentCreateInput, options?: CallOptions) =>
      create('/agents', { body, answer, ...options }),
    get: (assistant_id: string, options?: CallOptions) =>
      get(toPath`/agents/${assistant_id}`, { answer, ...options }),
    update: (assistant_id: string, body: AgentUpdate, options?: CallOptions) =>
      put(toPath`/agents/${assistant_id}`, { body, answer, ...options }),
    delete: (assistant_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/agents/${assistant_id}`, options),
  }
}
