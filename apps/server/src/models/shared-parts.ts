import { errorResponseSchema } from '@dataagent/schema'
import type { OpenApiDocument, Reference, Response } from './document.ts'
import type { NamedSchemas } from './named-schemas.ts'

const responseTexts = {
  Invalid: 'The request does not fit; `details.errors` names the fields.',
  Unauthenticated: 'No credential, or one that is not valid.',
  Forbidden: 'Not allowed for this role, or refused by a policy.',
  NotFound: 'There is no such thing, or none that the caller may see.',
  Conflict: 'It exists already, has changed meanwhile, or the Idempotency-Key was used otherwise.',
  TooLarge: 'The body is larger than this server takes.',
  UnsupportedMediaType: 'The body is not of a type that is taken here.',
  TooMany: 'A rate or a quota is used up; `details.limit` names the quota.',
  Unavailable: 'Something is away or the server is too busy; try again after Retry-After.',
  Failed: 'Any other failure.',
}

export type ResponseName = keyof typeof responseTexts

export function responseRef(name: ResponseName): Reference {
  return { $ref: `#/components/responses/${name}` }
}

const maybeLater: readonly string[] = ['TooMany', 'Unavailable', 'Conflict']

/** What every route may answer besides its own. */
export function toErrorAnswers(schemas: NamedSchemas): Record<string, Response> {
  const content = {
    'application/json': { schema: schemas.toSchema(errorResponseSchema, 'output') },
  }
  const requestId = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }
  const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
  return Object.fromEntries(
    Object.entries(responseTexts).map(([name, description]) => {
      const headers = { ...requestId, ...(maybeLater.includes(name) && retryAfter) }
      return [name, { description, headers, content }]
    }),
  )
}

type Components = OpenApiDocument['components']

export const headers: Components['headers'] = {
  RequestId: {
    description: 'The id of the request; quote it when asking for help.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds after which to try again.',
    schema: { type: 'integer', minimum: 1 },
  },
}

export const parameters: Components['parameters'] = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Made up by the caller. Sent again within 24 hours with the same key, the request is not done twice: the first answer is sent again, with `Idempotency-Replayed: true`.',
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' },
  },
}

/** @param cookieName The name of the cookie of a browser that is signed in. */
export function toSecuritySchemes(cookieName: string): Components['securitySchemes'] {
  return {
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
    bearer: { type: 'http', scheme: 'bearer', description: 'The same API key as a bearer token.' },
    cookie: {
      type: 'apiKey',
      in: 'cookie',
      name: cookieName,
      description: 'Of a browser that has signed in.',
    },
  }
}
