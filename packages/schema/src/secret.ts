import { z } from 'zod'

/**
 * A value that prints as `***` wherever it is logged, joined or serialised; only `reveal` gives it.
 */
export interface Secret {
  reveal(): string
  toString(): string
  toJSON(): string
}

const inspect = Symbol.for('nodejs.util.inspect.custom')
const mask = () => '***'

/** Wraps `value` so that it cannot be printed by accident. */
export function createSecret(value: string): Secret {
  return Object.freeze({
    reveal: () => value,
    toString: mask,
    toJSON: mask,
    [inspect]: mask,
  })
}

/**
 * A string as `schema` wants it on the way in, a `Secret` from then on. Never in an answer: see
 * `secretViewSchema`.
 */
export function secretFrom(schema: z.ZodType<string, string>) {
  return schema.meta({ writeOnly: true }).transform((value) => createSecret(value))
}

/** Any secret that is not empty. */
export const secretString = secretFrom(z.string().min(1))

/**
 * What an answer shows of a stored secret. Sent back in an update, it means: keep what is stored.
 */
export const secretViewSchema = z.strictObject({
  set: z.literal(true),
  last4: z.string().length(4).exactOptional(),
})
export type SecretView = z.infer<typeof secretViewSchema>

const last4From = 20

/**
 * The view of `secret`: its last four characters only where it is too long to be guessed from them.
 */
export function toSecretView(secret: Secret): SecretView {
  const value = secret.reveal()
  return value.length < last4From ? { set: true } : { set: true, last4: value.slice(-4) }
}
