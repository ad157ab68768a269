import { z } from 'zod'
import { id } from '../scalars.ts'
import { secretString } from '../secret.ts'
import { roleSchema } from '../users.ts'

/** POST /api/v1/sign-in: the browser gets a cookie in place of the key. */
export const signInRequestSchema = z.strictObject({ api_key: secretString })
export type SignInRequest = z.infer<typeof signInRequestSchema>
export type SignInRequestInput = z.input<typeof signInRequestSchema>

/** GET /api/v1/sign-in/methods */
export const signInMethodsSchema = z.object({
  api_key: z.literal(true),
  oidc: z.object({ name: z.string() }).nullable(),
  commands: z.object({ server: z.string(), terminal: z.string() }).meta({
    description: 'What starts the server and the terminal where they are installed; flags go after',
  }),
})
export type SignInMethods = z.infer<typeof signInMethodsSchema>

/** GET /api/v1/me: who the caller is, as the server sees it. */
export const meSchema = z.object({
  tenant_id: id,
  user_id: id,
  role: roleSchema,
  name: z.string(),
  via: z.enum(['api_key', 'cookie', 'none']),
  key_id: id.nullable(),
  acting_for: id.exactOptional().meta({
    description: 'The user whom the holder of the key acts for',
  }),
})
export type Me = z.infer<typeof meSchema>

/**
 * With what a browser comes back from an authorization server, which may add parameters of its own.
 */
export const authorizationAnswerSchema = z.looseObject({
  code: z.string().max(4096).exactOptional(),
  state: z.string().max(4096).exactOptional(),
  iss: z.string().max(2048).exactOptional(),
  error: z.string().max(512).exactOptional(),
})
export type AuthorizationAnswer = z.infer<typeof authorizationAnswerSchema>
