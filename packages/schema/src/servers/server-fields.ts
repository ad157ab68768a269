import { z } from 'zod'
import { wholeNumber } from '../scalars.ts'

/** A server's name: what people type and what stands in a URL. Letters of any language. */
export const serverName = z
  .string()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,63}$/u,
    'expected 1 to 64 letters, digits, spaces or . _ @ -, the first a letter or digit',
  )

const timeoutDefault = 30

/** A literal of 2 to 64 characters: one character would fire on nearly every message. */
const keyword = z.string().trim().min(2).max(64)

const seconds = z.number().positive().max(86_400)
/** Every pattern is tried on every tool of the server. */
const patternsMax = 200
const toolPattern = z.string().min(1).max(191)
const toolPatterns = z.array(toolPattern).max(patternsMax).default([])

function byPattern<V extends z.ZodType>(value: V) {
  const isFew = (fields: object) => Object.keys(fields).length <= patternsMax
  return z.record(toolPattern, value).refine(isFew, `expected at most ${patternsMax} patterns`)
}

/** What every transport has. Times are seconds; patterns are those of Go's `path.Match`. */
export const commonFields = {
  name: serverName,
  alias: serverName.exactOptional(),
  description: z.string().max(1000).exactOptional(),
  trigger_keywords: z.array(keyword).max(100).default([]),
  timeout: z
    .number()
    .max(86_400)
    .default(timeoutDefault)
    .overwrite((seconds) => (seconds > 0 ? seconds : timeoutDefault)),
  maxRetries: wholeNumber.max(10).default(3),
  allowedTools: toolPatterns,
  blockedTools: toolPatterns,
  maxTools: wholeNumber.default(0).meta({ description: 'The first so many are kept; 0 is all' }),
  disabled: z.boolean().default(false),
  toolTimeouts: byPattern(seconds).default({}).meta({
    description: 'Seconds a call may take, by tool or pattern; the first that fits counts',
  }),
  idempotentTools: toolPatterns.meta({
    description:
      'Tools that may be called twice without harm, beside those whose annotation says so',
  }),
  approval: z.enum(['default', 'allow', 'ask', 'deny']).default('default').meta({
    description: 'What holds for its tools where no rule speaks of them',
  }),
  toolApproval: byPattern(z.enum(['allow', 'ask', 'deny']))
    .default({})
    .meta({ description: 'The same by tool or pattern; the strictest that fits counts' }),
  pinning: z
    .enum(['pin', 'warn', 'follow'])
    .default('pin')
    .meta({
      description:
        'What a changed definition does: wait for approval, as a tool after the first list does too, ' +
        'be flagged, or be taken over',
    }),
  quarantine: z.boolean().default(false).meta({
    description: 'Whether all its new tools wait for approval, those of its first list too',
  }),
  trustedOutput: z.boolean().default(false).meta({
    description:
      'Of a shared server: whether what its tools give is vouched for, whatever they say of it',
  }),
  healthEvery: seconds.default(30).meta({ description: 'Seconds between two health probes' }),
  credentials: z.enum(['shared', 'user']).default('shared').meta({
    description: 'Whether all use its credentials, or each user their own',
  }),
}

const noNul = z.string().regex(/^[^\0]*$/, 'expected text without NUL')
const httpUrl = z.url({ protocol: /^https?$/, error: 'expected a http or https URL' }).max(2048)

/** RFC 9110 section 5.6.2 (token) and section 5.5 (no CR, LF or NUL in a value). */
const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'expected a header name')
const headerValue = z.string().regex(/^[^\r\n\0]*$/, 'expected text without line break or NUL')
const envName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected letters, digits and _')

const serverUrl = httpUrl.refine(
  (url) => !hasUserInfo(url),
  'expected a URL without user and password: use a header',
)

/** Each secret field in a shape of its own: a new value, its view, or either. */
export type SecretShape<S extends z.ZodType> = (value: z.ZodType<string, string>) => S

/** What starts a local server. */
export function stdioFields<S extends z.ZodType>(secret: SecretShape<S>) {
  return {
    command: noNul.min(1),
    args: z.array(noNul).default([]),
    env: z.record(envName, secret(noNul)).prefault({}),
    cwd: noNul.min(1).exactOptional(),
  }
}

/** What reaches a remote server. A proxy is a secret because its URL may hold a password. */
export function remoteFields<S extends z.ZodType>(secret: SecretShape<S>) {
  return {
    url: serverUrl,
    headers: z.record(headerName, secret(headerValue)).prefault({}),
    proxy: secret(httpUrl).exactOptional(),
  }
}

function hasUserInfo(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && (parsed.username !== '' || parsed.password !== '')
}
