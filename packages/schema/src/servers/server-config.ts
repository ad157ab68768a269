import { z } from 'zod'
import { isPlainObject } from '../judge-json.ts'
import { secretFrom, secretViewSchema } from '../secret.ts'
import { commonFields, remoteFields, type SecretShape, stdioFields } from './server-fields.ts'

/** How a server is reached. `http` is Streamable HTTP, `sse` the older HTTP+SSE. */
export type Transport = ServerConfig['transport']

const newConfig = unionByTransport(commonFields, secretFrom)
const changedConfig = unionByTransport(
  { ...commonFields, name: commonFields.name.exactOptional() },
  (value) => z.union([secretFrom(value), secretViewSchema]),
)

/**
 * A server's configuration on its way in: what a user posts, an administrator registers or a file
 * holds. Values of `env`, `headers` and `proxy` are secrets. Without `transport`, a `command` means
 * stdio and a `url` means http.
 */
export const serverConfigSchema = z.preprocess(withTransport, newConfig)
export type ServerConfig = z.output<typeof serverConfigSchema>
export type ServerConfigInput = TransportMayBeLeftOut<z.input<typeof newConfig>>

/**
 * A change of a configuration. A secret is new as a string, and stays as it is where its view is
 * sent back.
 */
export const serverUpdateSchema = z.preprocess(withTransport, changedConfig)
export type ServerUpdate = z.output<typeof serverUpdateSchema>
export type ServerUpdateInput = TransportMayBeLeftOut<z.input<typeof changedConfig>>

/** What `withTransport` fills in. A preprocessed schema itself says nothing of what it takes. */
type TransportMayBeLeftOut<C extends { transport: string }> = C extends { transport: 'sse' }
  ? C
  : Omit<C, 'transport'> & { transport?: C['transport'] | undefined }

function unionByTransport<C extends z.ZodRawShape, S extends z.ZodType>(
  common: C,
  secret: SecretShape<S>,
) {
  const stdio = stdioFields(secret)
  const remote = remoteFields(secret)
  return z.discriminatedUnion('transport', [
    z.strictObject({ ...common, transport: z.literal('stdio'), ...stdio }),
    z.strictObject({ ...common, transport: z.literal('http'), ...remote }),
    z.strictObject({ ...common, transport: z.literal('sse'), ...remote }),
  ])
}

function withTransport(value: unknown, { addIssue }: z.RefinementCtx): unknown {
  if (value === undefined) addIssue(misplaced('the configuration of the server', 'nothing'))
  if (!isPlainObject(value) || value.transport !== undefined) return value
  if (value.command !== undefined) return { ...value, transport: 'stdio' }
  if (value.url !== undefined) return { ...value, transport: 'http' }
  addIssue(
    isPlainObject(value.config)
      ? {
          ...misplaced('its fields here, without `config` around them', 'object'),
          path: ['config'],
        }
      : misplaced('`url`, or `command` for a local server', 'neither'),
  )
  return z.NEVER
}

function misplaced(expected: string, got: string) {
  return { code: 'custom' as const, params: { expected, got } }
}
