import { z } from 'zod'

/** A whole number from 0 that JSON holds exactly. */
export const wholeNumber = z
  .int()
  .nonnegative()
  .overwrite((value) => (value === 0 ? 0 : value))

/**
 * A moment, as milliseconds since 1970-01-01T00:00:00Z: what a clock gives, an SQL BIGINT holds,
 * JSON keeps exactly and every client can compare. No time zone, no parsing, no mapping between
 * code, column and wire.
 */
export const timestamp = wholeNumber.meta({
  description: 'Milliseconds since 1970-01-01T00:00:00Z',
})

/**
 * A name of ours for one thing (session, user, tenant…): safe in a URL and in a key. Not a file
 * name by itself.
 */
export const id = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$/,
    'expected 1 to 128 letters, digits or . _ @ + -, the first a letter or digit',
  )

/** What people call a thing (tenant, user, key…), as every database column for it can hold it. */
export const name = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}\p{Cs}]{1,191}$/u, 'expected 1 to 191 characters, none a control character')
