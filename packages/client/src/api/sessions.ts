import {
  compactResponseSchema,
  contextWeightSchema,
  type EventsQuery,
  eventsPageSchema,
  type FeedbackQuery,
  type FeedbackWrite,
  feedbackPageSchema,
  feedbackSchema,
  messagesPageSchema,
  type PageQuery,
  type RunsQuery,
  runsPageSchema,
  type SessionCreate,
  type SessionExportQuery,
  type SessionFork,
  type SessionsQuery,
  type SessionUpdate,
  sessionInfoSchema,
  sessionsPageSchema,
} from '@dataagent/schema'
import { type CallOptions, type QueryOf, toPath, type Verbs } from '../http/index.ts'

const answer = sessionInfoSchema

export function createSessionsApi({ get, create, post, put, patch, tell, open }: Verbs) {
  return {
    list: (query: QueryOf<SessionsQuery> = {}, options?: CallOptions) =>
      get('/sessions', { query, answer: sessionsPageSchema, ...options }),
    create: (body: SessionCreate = {}, options?: CallOptions) =>
      create('/sessions', { body, answer, ...options }),
    get: (session_id: string, options?: CallOptions) =>
      get(toPath`/sessions/${session_id}`, { answer, ...options }),
    update: (session_id: string, body: SessionUpdate, options?: CallOptions) =>
      patch(toPath`/sessions/${session_id}`, { body, answer, ...options }),
    delete: (session_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/sessions/${session_id}`, options),
    messages: (session_id: string, query: QueryOf<PageQuery> = {}, options?: CallOptions) =>
      get(toPath`/sessions/${session_id}/messages`, {
        ...{ query, answer: messagesPageSchema, ...options },
      }),
    events: (session_id: string, query: QueryOf<EventsQuery> = {}, options?: CallOptions) =>
      get(toPath`/sessions/${session_id}/events`, {
        ...{ query, answer: eventsPageSchema, ...options },
      }),
    runs: (session_id: string, query: QueryOf<PageQuery> = {}, options?: CallOptions) =>
      get(toPath`/sessions/${session_id}/runs`, { query, answer: runsPageSchema, ...options }),
    feedback: (session_id: string, query: QueryOf<PageQuery> = {}, options?: CallOptions) =>
      get(toPath`/sessions/${session_id}/feedback`, {
        ...{ query, answer: feedbackPageSchema, ...options },
      }),
    /** `seq` is the number of the message that the turn began with. */
    rate: (...[session_id, seq, body, options]: [string, number, FeedbackWrite, CallOptions?]) =>
      put(toPath`/sessions/${session_id}/turns/${seq}/feedback`, {
        ...{ body, answer: feedbackSchema, ...options },
      }),
    unrate: (session_id: string, seq: number, options?: CallOptions) =>
      tell('DELETE', toPath`/sessions/${session_id}/turns/${seq}/feedback`, options),
    fork: (session_id: string, body: SessionFork = {}, options?: CallOptions) =>
      create(toPath`/sessions/${session_id}/fork`, { body, answer, ...options }),
    /** What the next call of the model would read. */
    context: (session_id: string, options?: CallOptions) =>
      get(toPath`/sessions/${session_id}/context`, { answer: contextWeightSchema, ...options }),
    /** Takes as long as a model's answer does. */
    compact: (session_id: string, options?: CallOptions) =>
      post(toPath`/sessions/${session_id}/compact`, {
        ...{ answer: compactResponseSchema, ...options },
      }),
    /** The file, as the answer that holds it. */
    export: (session_id: string, query: QueryOf<SessionExportQuery> = {}, options?: CallOptions) =>
      open(toPath`/sessions/${session_id}/export`, { query, accept: '*/*', ...options }),
  }
}

export function createRunsApi({ get }: Verbs) {
  return {
    list: (query: QueryOf<RunsQuery> = {}, options?: CallOptions) =>
      get('/runs', { query, answer: runsPageSchema, ...options }),
  }
}

export function createFeedbackApi({ get }: Verbs) {
  return {
    list: (query: QueryOf<FeedbackQuery> = {}, options?: CallOptions) =>
      get('/feedback', { query, answer: feedbackPageSchema, ...options }),
  }
}
